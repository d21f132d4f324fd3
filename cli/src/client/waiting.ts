import type { CorprailOptions, WaitOptions } from "@corprail/sdk";
import type { ClientContext } from "../run-command.ts";

export type PaceOptions = { readonly firstAfter?: number; readonly every?: number; readonly giveUpAfter?: number };

export type Waiting = { readonly more: Partial<CorprailOptions>; readonly pace: WaitOptions };

/** The SDK's polling intervals unless set otherwise. Prints a line on standard error for each poll. */
export function waiting(ctx: ClientContext, { firstAfter, every, giveUpAfter }: PaceOptions): Waiting {
  const began = performance.now();
  let calls = 0;
  const counted: typeof globalThis.fetch = (input, init) => {
    calls += 1;
    if (calls > 1) ctx.note(`Not decided yet after ${Math.round((performance.now() - began) / 1000)} seconds: asking again.`);
    return globalThis.fetch(input, init);
  };
  const pace = {
    ...(firstAfter === undefined ? {} : { firstCheckAfterMs: firstAfter }),
    ...(every === undefined ? {} : { checkEveryMs: every }),
    ...(giveUpAfter === undefined ? {} : { giveUpAfterMs: giveUpAfter }),
  };
  return { more: { fetch: counted }, pace };
}
