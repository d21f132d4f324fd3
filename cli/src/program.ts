import { redact } from "@corprail/server/platform/observability/redact";
import { Command } from "commander";
import { accountCommands } from "./account/commands.ts";
import { archiveCommands } from "./archive/commands.ts";
import type { BackupOptions } from "./backup/make-backup.ts";
import type { RestoreOptions } from "./backup/restore-backup.ts";
import { callbackCommands } from "./callback/commands.ts";
import { capacityCommand } from "./capacity/commands.ts";
import { cellCommands } from "./cell/commands.ts";
import { balanceCommand, complaintCommands, rechargeCommands, requestCommands } from "./client/commands.ts";
import { completionCommand } from "./completion/commands.ts";
import { configurationCommands } from "./configuration/commands.ts";
import type { DrillOptions } from "./drill/restore-drill.ts";
import { profileCommands } from "./profile/commands.ts";
import { providerCommands } from "./provider/commands.ts";
import { example, group, reporting } from "./shared/reporting.ts";
import type { CommandContext } from "./shared/run-command.ts";
import type { StopOptions } from "./single-sign-on.ts";
import { statementCommands, trusting } from "./statement/commands.ts";
import type { EvidenceOptions } from "./statement/verify-file.ts";
import { upgradeCommands } from "./upgrade/commands.ts";
import { version } from "./version.ts";

// Loaded when they run: what the service's modules need takes longer to load than the whole command line.
const verbs = {
  serve: async () => await (await import("./serve.ts")).serve(),
  migrate: async (ctx: CommandContext) => await (await import("./migrate.ts")).migrateDatabase(ctx),
  examine: async (ctx: CommandContext) => await (await import("./doctor/examine.ts")).examine(ctx),
  verifyLedger: async (ctx: CommandContext) => await (await import("./verify-ledger.ts")).verifyLedger(ctx),
  verifyAudit: async (ctx: CommandContext, file: string | undefined, options: EvidenceOptions) =>
    await (await import("./verify-audit.ts")).verifyAuditLog(ctx, file, options),
  exportAudit: async (ctx: CommandContext, file: string) => await (await import("./statement/export-statement.ts")).exportAudit(ctx, file),
  stopEnforcing: async (ctx: CommandContext, options: StopOptions) =>
    await (await import("./single-sign-on.ts")).stopEnforcingSignOn(ctx, options),
  rebuildAnalytics: async (ctx: CommandContext) => await (await import("./analytics.ts")).rebuildAnalytics(ctx),
  verifyAnalytics: async (ctx: CommandContext) => await (await import("./analytics.ts")).verifyAnalytics(ctx),
  rotateKey: async (ctx: CommandContext) => await (await import("./rotate-key.ts")).rotateKey(ctx),
  backup: async (ctx: CommandContext, file: string, options: BackupOptions) =>
    await (await import("./backup/make-backup.ts")).makeBackup(ctx, file, options),
  restore: async (ctx: CommandContext, file: string, options: RestoreOptions) =>
    await (await import("./backup/restore-backup.ts")).restoreBackup(ctx, file, options),
  restoreDrill: async (ctx: CommandContext, options: DrillOptions) =>
    await (await import("./drill/restore-drill.ts")).restoreDrill(ctx, options),
};

const FOOTER = `
Examples:
  $ corprail serve
  $ corprail balance

In a clone the command is run as: npx corprail
Platform commands are configured by the service's own CORPRAIL_ variables; client commands by a profile or by CORPRAIL_BASE_URL,
CORPRAIL_TOKEN, CORPRAIL_SIGNING_SECRET and CORPRAIL_CALLBACK_SECRET. Secrets are never given as arguments.
Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 the transaction failed or was not created, 4 it is not decided.`;

/** The whole command line; nothing runs before it is parsed. */
export function buildProgram(): Command {
  const program = new Command("corprail")
    .description("Run a Corprail installation, or call one as a client")
    .version(version())
    .helpCommand(false)
    .exitOverride()
    // A secret that was given as an argument by mistake is not repeated.
    .configureOutput({ outputError: (text, write) => write(redact(text)) })
    .addHelpText("after", FOOTER);
  program.commandsGroup("For the platform:");
  platformCommands(program);
  program.commandsGroup("For clients:");
  clientCommands(program);
  program.commandsGroup("For your shell:");
  completionCommand(program);
  return program;
}

function platformCommands(program: Command): void {
  program
    .command("serve")
    .description("Run the service until SIGTERM or SIGINT")
    .addHelpText("after", example("CORPRAIL_PORT=8080 corprail serve"))
    .action(verbs.serve);
  reporting(program.command("migrate"), verbs.migrate, "corprail migrate")
    .summary("Migrate the database to this version")
    .description("Migrate the database to this version, as a start of the service does. Forward only; running it again changes nothing.");
  upgradeCommands(
    group(program.command("upgrade"), "corprail upgrade check").description("Upgrade the database while the previous version runs"),
  );
  reporting(program.command("doctor"), verbs.examine, "corprail doctor")
    .summary("Check the installation and report problems")
    .description(
      "Check machine, database, master key, ledger, orders, callbacks and providers. It only reads; ends with 1 when something is wrong.",
    );
  accountCommands(group(program.command("account"), "corprail account list").description("Create, show and change accounts"));
  cellCommands(group(program.command("cell"), "corprail cell list").description("Manage cells, the databases that hold the accounts"));
  capacityCommand(program);
  providerCommands(group(program.command("provider"), "corprail provider test quickpay.json").description("Manage providers and routes"));
  configurationCommands(program);
  checks(program);
  keeping(program);
  signOnCommands(program);
  drill(program);
  keepingHistory(program);
}

function checks(program: Command): void {
  const ledger = group(program.command("ledger"), "corprail ledger verify").description("Check the ledger");
  reporting(ledger.command("verify"), verbs.verifyLedger, "corprail ledger verify --json")
    .summary("Check that the ledger is consistent")
    .description("Check every account's wallet, transfers and orders against each other. It only reads, also while the service runs.");
  const audit = group(program.command("audit"), "corprail audit verify").description("Verify and export the audit log");
  reporting(trusting(audit.command("verify [file]")), verbs.verifyAudit, "corprail audit verify --json")
    .summary("Check that no entry of the audit log was changed")
    .description(
      "Check that no entry of the audit log, or of an export of it, was changed, added or removed since it was written, and compare it with the signed runs and the anchor file.",
    );
  reporting(audit.command("export <file>"), verbs.exportAudit, "corprail audit export audit.jsonl")
    .summary("Write the audit log into a signed file")
    .description("Write every entry of the audit log with the hash chain, the signed runs and a signed end, for verify-audit.mjs.");
  statementCommands(
    group(program.command("statement"), "corprail statement verify").description("Write and check signed statements of the ledger"),
  );
}

function keeping(program: Command): void {
  reporting(program.command("rotate-key"), verbs.rotateKey, "corprail rotate-key --json")
    .summary("Replace the master key")
    .description(
      "Replace the master key and seal every token and secret again, also while the service runs. Run it again if it was interrupted.",
    );
  const backup = program
    .command("backup <file>")
    .option("--with-master-key", "put the master key in as well: the file then opens every secret");
  reporting(backup, verbs.backup, "corprail backup /backups/2025-06-15.backup")
    .summary("Write everything into one file")
    .description("Write the whole database into one file, as of one moment, also while the service runs. Only you can read it.");
  const restore = program.command("restore <file>").option("--master-key <file>", "the key file that was kept apart from the backup");
  reporting(restore, verbs.restore, "CORPRAIL_DATA_DIR=/srv/new corprail restore 2025-06-15.backup --master-key master-key.copy")
    .summary("Restore a backup into a new data folder")
    .description(
      "Restore a backup, into a new data folder or an empty database only. The file is checked first; the ledger and the audit log afterwards.",
    );
}

function signOnCommands(program: Command): void {
  const signOn = group(program.command("single-sign-on"), "corprail single-sign-on stop-enforcing").description(
    "Manage single sign-on in an emergency",
  );
  const stop = signOn.command("stop-enforcing").option("--account <account-id>", "of this client; staff unless given");
  reporting(stop, verbs.stopEnforcing, "corprail single-sign-on stop-enforcing")
    .summary("Let people sign in with passwords again")
    .description(
      "Stop enforcing single sign-on, for staff or for one client, so that passwords and passkeys work again while the identity provider is down.",
    );
}

function drill(program: Command): void {
  const collect = (value: string, before: readonly string[] = []) => [...before, value];
  const command = program
    .command("restore-drill")
    .requiredOption("--base <folder>", "the base backup, as pg_basebackup or pgbackrest restore writes it")
    .option("--wal <folder>", "the archived WAL")
    .option("--restore-command <command>", "fetches a file of the WAL instead, as PostgreSQL's setting restore_command does")
    .option("--cell-base <cell=folder>", "the base backup of a cell, such as 1=/backup/cell-1; may be repeated", collect)
    .option("--cell-wal <cell=folder>", "the archived WAL of a cell; may be repeated", collect)
    .option("--cell-restore-command <cell=command>", "fetches a file of the WAL of a cell; may be repeated", collect)
    .option("--to <time>", "the moment to restore to; the end of the WAL unless given")
    .option("--postgres-bin <folder>", "the programs of the backup's PostgreSQL; those of Corprail unless given")
    .option("--scratch <folder>", "where the restored files go for the time of the drill");
  reporting(command, verbs.restoreDrill, "corprail restore-drill --base /backup/base --wal /backup/wal")
    .summary("Prove that base backup and WAL can be restored")
    .description(
      "Restore a base backup and its WAL beside the running installation, check ledger and audit log there, and compare all transfers.",
    );
}

function keepingHistory(program: Command): void {
  const analytics = group(program.command("analytics"), "corprail analytics verify").description("Verify and rebuild analytics");
  reporting(analytics.command("verify"), verbs.verifyAnalytics, "corprail analytics verify --json")
    .summary("Compare the roll-ups with the orders")
    .description("Count all stored orders and compare the result with the roll-ups that analytics reads. It only reads.");
  reporting(analytics.command("rebuild"), verbs.rebuildAnalytics, "corprail analytics rebuild")
    .summary("Rebuild the roll-ups from the orders")
    .description(
      "Delete the roll-ups that analytics reads and count them again from the stored orders, also while the service runs. Those of archived months stay.",
    );
  archiveCommands(
    group(program.command("archive"), "corprail archive make 2026-01 /archive").description("Archive whole months of history as files"),
  );
}

function clientCommands(program: Command): void {
  profileCommands(group(program.command("profile"), "corprail profile add acme").description("Manage addresses and secrets under names"));
  balanceCommand(program);
  rechargeCommands(
    group(program.command("recharge"), "corprail recharge get --urid INV-1").description("Create recharges and show their status"),
  );
  complaintCommands(group(program.command("complaint"), "corprail complaint list").description("Raise and show complaints"));
  requestCommands(program);
  callbackCommands(program);
}
