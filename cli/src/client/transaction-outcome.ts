import { AbortedError, CorprailError, NoAnswerError, ServerError, type Outcome as Transaction, UsageError } from "@corprail/sdk";
import { done, EXIT_CODES, type ExitCode, type Outcome } from "../outcome.ts";
import { refusal } from "../refusal.ts";
import { fieldLines, wireNames } from "./wire-names.ts";

const WORDS: Readonly<Record<Transaction["outcome"], string>> = {
  succeeded: "It succeeded.",
  failed: "It failed; the money is back in the wallet.",
  not_created: "It was refused; nothing was created or charged.",
  pending: "It is not decided yet.",
  unknown: "No answer tells whether it exists.",
};

/** Exit code 3 alone says that nothing stays charged, and 4 that it must be asked about again. */
export function transactionOutcome(transaction: Transaction): Outcome {
  const { cause: _cause, final, ...facts } = { cause: undefined, ...transaction };
  const fields = wireNames(facts);
  const text = `${WORDS[transaction.outcome]}${final ? "" : ` Ask again: corprail recharge wait --urid ${transaction.urid}`}`;
  if (transaction.outcome === "succeeded") return done(text, fields, fieldLines(fields));
  return { ok: false, exitCode: final ? EXIT_CODES.notCharged : EXIT_CODES.undecided, text, fields, report: fieldLines(fields) };
}

/** A refusal that proves that nothing was created is 3 as well; one that proves nothing is never that. */
export function creationRefused(error: unknown): Outcome {
  if (!(error instanceof CorprailError) || error instanceof UsageError) throw error;
  return { ...refusal(error), exitCode: exitCodeOf(error) };
}

function exitCodeOf(error: CorprailError): ExitCode {
  if (error.customerRefund === "due") return EXIT_CODES.notCharged;
  const silent = error instanceof NoAnswerError && error.silence !== "not_sent";
  const unclear = silent || error instanceof AbortedError || (error instanceof ServerError && error.error !== "busy");
  return unclear ? EXIT_CODES.undecided : EXIT_CODES.failed;
}
