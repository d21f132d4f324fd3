import type { Command } from "commander";
import { reporting } from "../shared/reporting.ts";
import type { CommandContext } from "../shared/run-command.ts";
import type { VerifyOptions } from "./verify-statement.ts";

// Loaded when they run, as in program.ts.
const verbs = {
  verify: async (ctx: CommandContext, file: string | undefined, options: VerifyOptions) =>
    await (await import("./verify-statement.ts")).verifyStatement(ctx, file, options),
  export: async (ctx: CommandContext, accountId: string, month: string, file: string) =>
    await (await import("./export-statement.ts")).exportStatement(ctx, accountId, month, file),
};

export function statementCommands(statement: Command): void {
  const verify = trusting(statement.command("verify [file]")).option("--account <account_id>", "only this account of the database");
  reporting(verify, verbs.verify, "corprail statement verify --key 5f0c…")
    .summary("Check that the ledger is as it was signed")
    .description(
      "Check every transfer of the database, or of a signed statement, against the days that were signed, and these against the anchor file. It names the first transfer of each day that was changed, added or removed. It only reads.",
    );
  const write = statement.command("export <account_id> <month> <file>");
  reporting(write, verbs.export, "corprail statement export A0123456789B 2026-01 statement.jsonl")
    .summary("Write the signed days of a month into a file")
    .description("Write the transfers of an account's month with signatures and public keys, for verify-statement.mjs.");
}

/** The options of a verification: what is known from outside the database. */
export function trusting(command: Command): Command {
  return command
    .option("--key <key_id>", "the only signing key to trust, as the portal showed it")
    .option("--anchor <file>", "the anchor file (default: CORPRAIL_AUDIT_ANCHOR_FILE)");
}
