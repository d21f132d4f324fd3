import { readFileSync } from "node:fs";
import { redact } from "@corprail/server/observe/redact";
import { Command } from "commander";
import { migrateDatabase } from "./migrate.ts";
import { providerCommands } from "./provider/commands.ts";
import { example, group, reporting } from "./reporting.ts";
import { rotateKey } from "./rotate-key.ts";
import { serve } from "./serve.ts";
import { verifyAuditTrail } from "./verify-audit.ts";
import { verifyLedger } from "./verify-ledger.ts";

const FOOTER = `
Example:
  $ corprail serve

Configuration comes from the service's own CORPRAIL_ variables. Secrets are never given as arguments.
Exit codes: 0 done, 1 failed, 2 wrong usage or configuration.`;

/** The whole command line; nothing runs before it is parsed. */
export function buildProgram(): Command {
  const program = new Command("corprail")
    .description("Runs and looks after a Corprail installation")
    .version(version())
    .helpCommand(false)
    .exitOverride()
    // A secret that was given as an argument by mistake is not repeated.
    .configureOutput({ outputError: (text, write) => write(redact(text)) })
    .addHelpText("after", FOOTER);
  program
    .command("serve")
    .description("Run the service until SIGTERM or SIGINT")
    .addHelpText("after", example("CORPRAIL_PORT=8080 corprail serve"))
    .action(serve);
  reporting(program.command("migrate"), migrateDatabase, "corprail migrate")
    .summary("Bring the database to this version")
    .description("Bring the database to this version, as a start of the service does. Forward only; running it again changes nothing.");
  reporting(program.command("rotate-key"), rotateKey, "corprail rotate-key --json")
    .summary("Replace the master key")
    .description(
      "Replace the master key and seal every token and secret again, also while the service runs. Run it again if it was interrupted.",
    );
  checks(program);
  providerCommands(
    group(program.command("provider"), "corprail provider test quickpay.json").description("Set up who carries out what clients ask for"),
  );
  return program;
}

function checks(program: Command): void {
  const ledger = group(program.command("ledger"), "corprail ledger verify").description("Look after the ledger");
  reporting(ledger.command("verify"), verifyLedger, "corprail ledger verify --json")
    .summary("Check that every account's money is as it must be")
    .description("Check every account's wallet, transfers and orders against each other. It only reads, also while the service runs.");
  const audit = group(program.command("audit"), "corprail audit verify").description("Look after the audit trail");
  reporting(audit.command("verify"), verifyAuditTrail, "corprail audit verify --json")
    .summary("Check that no entry of the audit trail was changed")
    .description("Check that no entry of the audit trail was changed, added or removed since it was written.");
}

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  return version;
}
