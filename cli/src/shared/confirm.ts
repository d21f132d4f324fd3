import { ask } from "../profile/ask.ts";
import { UsageFault } from "./outcome.ts";
import type { ClientContext } from "./run-command.ts";

/** Continues only if the user confirms at the terminal or has passed --yes. */
export async function confirmed(
  ctx: ClientContext,
  { question, yes }: { readonly question: string; readonly yes: boolean },
): Promise<void> {
  if (yes) return;
  if (!ctx.mayAsk) throw new UsageFault(`${question} Give --yes to do it without being asked.`);
  const answer = await ask(`${question} Go on? [y/N] `, "shown");
  if (!/^y(es)?$/i.test(answer)) throw new UsageFault("Nothing was done.");
}
