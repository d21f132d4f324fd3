import { randomBytes } from "node:crypto";
import {
  AbortedError,
  CorprailError,
  type CorprailOptions,
  NoAnswerError,
  type RechargeReference,
  ServerError,
  type Outcome as Transaction,
  UsageError,
  type WaitOptions,
} from "@corprail/sdk";
import { done, EXIT_CODES, type ExitCode, type Outcome, UsageFault } from "../shared/outcome.ts";
import { refusal } from "../shared/refusal.ts";
import type { ClientContext } from "../shared/run-command.ts";
import { createClient, type ProfileOption } from "./credentials.ts";
import { fieldLines, wireNames } from "./wire-names.ts";

export type CreateOptions = ProfileOption &
  PollOptions & {
    readonly account: string;
    readonly operator: string;
    readonly amount: string;
    readonly circle?: string;
    readonly urid?: string;
    readonly wait?: boolean;
  };

type ReferenceOptions = ProfileOption & { readonly urid?: string; readonly orderId?: string };

/** Calling it again with the same --urid is safe: one urid makes one order. */
export async function createRecharge(ctx: ClientContext, options: CreateOptions): Promise<Outcome> {
  const urid = options.urid ?? `cli-${randomBytes(8).toString("hex")}`;
  // Printed before the request is sent, so that the order can be found whatever happens next.
  if (options.urid === undefined) ctx.note(`Its reference is ${urid}.`);
  const { account, operator, amount, circle } = options;
  const input = { urid, account, operator, amount, circle };
  try {
    if (!options.wait) return transactionOutcome(await (await createClient(ctx, options)).recharge.create(input));
    const { more, pace } = pollingOf(ctx, options);
    return transactionOutcome(await (await createClient(ctx, options, more)).recharge.createAndSettle(input, pace));
  } catch (error) {
    return creationRefused(error);
  }
}

export async function waitRecharge(ctx: ClientContext, options: ReferenceOptions & PollOptions): Promise<Outcome> {
  const reference = rechargeReference(options);
  const { more, pace } = pollingOf(ctx, options);
  // Nothing is known about the order yet, so its status is requested at once.
  const client = await createClient(ctx, options, more);
  return transactionOutcome(await client.recharge.waitForFinal(reference, { firstCheckAfterMs: 0, ...pace }));
}

export async function getRecharge(ctx: ClientContext, options: ReferenceOptions): Promise<Outcome> {
  const reference = rechargeReference(options);
  return transactionOutcome(await (await createClient(ctx, options)).recharge.get(reference));
}

function rechargeReference({ urid, orderId }: ReferenceOptions): RechargeReference {
  if (urid !== undefined && orderId === undefined) return { urid };
  if (orderId !== undefined && urid === undefined) return { orderId };
  throw new UsageFault("Give either --urid or --order-id.");
}

const WORDS: Readonly<Record<Transaction["outcome"], string>> = {
  succeeded: "It succeeded.",
  failed: "It failed; the money is back in the wallet.",
  not_created: "It was refused; nothing was created or charged.",
  pending: "It is not decided yet.",
  unknown: "It is not known whether the order exists.",
};

/** Exit code 3 means that nothing was charged, 4 that the result is not known yet. */
function transactionOutcome(transaction: Transaction): Outcome {
  const { cause: _cause, final, ...facts } = { cause: undefined, ...transaction };
  const fields = wireNames(facts);
  const text = `${WORDS[transaction.outcome]}${final ? "" : ` Ask again: corprail recharge wait --urid ${transaction.urid}`}`;
  if (transaction.outcome === "succeeded") return done(text, fields, fieldLines(fields));
  return { ok: false, exitCode: final ? EXIT_CODES.notCharged : EXIT_CODES.undecided, text, fields, report: fieldLines(fields) };
}

/** A refusal exits with 3 only if it proves that nothing was created. */
function creationRefused(error: unknown): Outcome {
  if (!(error instanceof CorprailError) || error instanceof UsageError) throw error;
  return { ...refusal(error), exitCode: exitCodeOf(error) };
}

function exitCodeOf(error: CorprailError): ExitCode {
  if (error.customerRefund === "due") return EXIT_CODES.notCharged;
  const silent = error instanceof NoAnswerError && error.silence !== "not_sent";
  const unclear = silent || error instanceof AbortedError || (error instanceof ServerError && error.error !== "busy");
  return unclear ? EXIT_CODES.undecided : EXIT_CODES.failed;
}

type PollOptions = { readonly firstAfter?: number; readonly every?: number; readonly giveUpAfter?: number };

type Polling = { readonly more: Partial<CorprailOptions>; readonly pace: WaitOptions };

/** The SDK's polling intervals unless set otherwise. Prints a line on standard error for each poll. */
function pollingOf(ctx: ClientContext, { firstAfter, every, giveUpAfter }: PollOptions): Polling {
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
