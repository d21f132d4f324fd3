import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { verifyAudit } from "@corprail/server/domain/audit/verify";
import { cellName } from "@corprail/server/domain/cells/cell";
import { connect } from "@corprail/server/platform/db/connection";
import { counted } from "../shared/counted.ts";
import { withDatabase } from "../shared/find-database.ts";
import { done, failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { verifyLedgerOn } from "../verify-ledger.ts";
import { clearFolder, NotFresh, placeFault } from "./fresh-place.ts";
import type { Header } from "./header.ts";
import { type Inspected, schemaFaultOf } from "./inspect-backup.ts";
import { loadBackup } from "./load-backup.ts";
import { type KeyPlan, placeKey, planKey } from "./master-key.ts";
import { type CellTarget, cellPlaceFault, cellsFault, findMisplaced, type Misplaced, readParts, targetsOf } from "./restore-cells.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type RestoreOptions = { readonly masterKey?: string };

/** Restores a backup into an empty target. Everything that can be checked is checked before anything is written. */
export async function restoreBackup(ctx: CommandContext, file: string, options: RestoreOptions): Promise<Outcome> {
  const parts = await readParts(ctx, resolve(file));
  if (typeof parts === "string") return failed(parts);
  const { path, inspected } = parts.home;
  const { header } = inspected;
  const fault =
    (await schemaFaultOf(header)) ??
    cellsFault(ctx, parts) ??
    (await placeFault(ctx, header)) ??
    (await cellPlaceFault(targetsOf(ctx, parts)));
  if (fault !== null) return failed(fault);
  const plan = await planKey(ctx, header, options.masterKey);
  if (plan.kind === "refused") return failed(plan.why);
  const targets = targetsOf(ctx, parts);
  ctx.note(`Restoring the backup of ${header.taken_at}: ${header.tables.length} tables, ${inspected.rows} rows.`);
  return await cleaningUp(ctx, (stage, interruption) =>
    withDatabase(ctx, "existing or new", async (url) => {
      const work = restoreAt(ctx, { url, path, inspected, plan, stage, targets });
      stage.work = work;
      return await interruption.orInterrupted(work);
    }),
  );
}

/** The progress of a restore, which decides what an interruption leaves behind. */
type Stage = { work: Promise<unknown> | null; committing: boolean };

/** Removes the folder's content if the restore fails or is interrupted, because it would look like an installation. */
async function cleaningUp(ctx: CommandContext, restore: (stage: Stage, interruption: Interruption) => Promise<Outcome>): Promise<Outcome> {
  const stage: Stage = { work: null, committing: false };
  const interruption = watchForSignals();
  try {
    return await restore(stage, interruption);
  } catch (error) {
    const signal = interruption.signal();
    // Waits for the work, which ends because its database has stopped, so that it writes nothing into the folder.
    if (ctx.config.databaseUrl === null) await stage.work?.catch(() => {});
    const isOurs = (stage.work !== null || signal !== null) && !(error instanceof NotFresh);
    const isCleared = isOurs && (await clearFolder(ctx));
    if (signal !== null) {
      ctx.note(`\nThe restore was interrupted. ${leftWords(ctx, stage, isCleared)}`);
      process.kill(process.pid, signal);
    }
    throw error;
  } finally {
    interruption.stopWatching();
  }
}

/** Describes what an interrupted restore left behind and what to do next. */
function leftWords({ config }: CommandContext, { committing }: Stage, isCleared: boolean): string {
  if (config.databaseUrl === null)
    return isCleared
      ? "Nothing was kept: run the same command again when you like."
      : `Another process holds ${config.dataFolder}: look what is in it before you restore again.`;
  const database = config.cells.length === 0 ? "the database of CORPRAIL_DATABASE_URL" : "the databases";
  return committing
    ? `Its rows may be in ${database} already, and nobody has checked them: drop that database, create it again, and restore again.`
    : `No rows were kept, only empty tables in ${database}: run the same command again, it goes on from there.`;
}

type Restoring = {
  readonly url: string;
  readonly path: string;
  readonly inspected: Inspected;
  readonly plan: KeyPlan;
  readonly stage: Stage;
  readonly targets: readonly CellTarget[];
};

async function restoreAt(ctx: CommandContext, { url, path, inspected, plan, stage, targets }: Restoring): Promise<Outcome> {
  const { header, rows } = inspected;
  const onCommit = () => {
    stage.committing = true;
  };
  for (const cell of targets) {
    ctx.note(`Restoring ${cellName(cell.inspected.header.cell)}.`);
    await loadBackup(ctx, { url: cell.url, path: cell.path, header: cell.inspected.header, bytes: await sizeOf(cell.path), onCommit });
  }
  await loadBackup(ctx, { url, path, header, bytes: await sizeOf(path), onCommit });
  await placeKey(plan);
  ctx.note("The rows are in. Checking the ledger and the audit log.");
  const checked = await checkAll(ctx, [url, ...targets.map((cell) => cell.url)]);
  const all = rows + targets.reduce((sum, cell) => sum + cell.inspected.rows, 0);
  const fields = { ...restored(header, all), master_key: plan.kind, ledger_ok: checked.ledgerOk, audit_ok: checked.auditOk };
  const report = [...checked.report, keyWords(plan, header)].join("\n");
  if (checked.ledgerOk && checked.auditOk && checked.lost.length + checked.missing.length === 0)
    return done(`The backup of ${header.taken_at} is restored.`, fields, report);
  const accounts = { lost_accounts: checked.lost, missing_accounts: checked.missing };
  return failed("The backup is restored, but its data is not consistent.", { ...fields, ...accounts }, report);
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size;
}

type Checked = Misplaced & {
  readonly ledgerOk: boolean;
  readonly auditOk: boolean;
  readonly report: readonly string[];
};

/** Checks every database, home first. */
async function checkAll(ctx: CommandContext, urls: readonly string[]): Promise<Checked> {
  const opened = urls.map((url) => connect({ url, connections: 1, role: null }));
  try {
    const results: { readonly ledger: Outcome; readonly audit: Awaited<ReturnType<typeof verifyAudit>> }[] = [];
    for (const { sql } of opened) results.push({ ledger: await verifyLedgerOn(ctx, sql), audit: await verifyAudit(sql) });
    const misplaced = await findMisplaced(opened.map(({ sql }) => sql));
    return {
      ledgerOk: results.every(({ ledger }) => ledger.ok),
      auditOk: results.every(({ audit }) => audit.ok),
      ...misplaced,
      report: [
        ...results.flatMap(({ ledger, audit }) => [
          ledger.text,
          audit.ok
            ? `The audit log is intact: ${counted(audit.count, "entry", "entries")}.`
            : `The audit log is broken at entry ${audit.seq}: ${audit.why}.`,
        ]),
        ...misplacedWords(misplaced),
      ],
    };
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
  }
}

function misplacedWords({ lost, missing }: Misplaced): readonly string[] {
  const words: string[] = [];
  if (lost.length > 0) words.push(`Home does not know in which cell these accounts are: ${lost.join(", ")}.`);
  if (missing.length > 0) words.push(`Home names a cell for these accounts, but no cell has them: ${missing.join(", ")}.`);
  return words;
}

function restored(header: Header, rows: number) {
  return { taken_at: header.taken_at, installation_id: header.installation_id, tables: header.tables.length, rows };
}

function keyWords(plan: KeyPlan, { master_key_ids: ids }: Header): string {
  if (plan.kind === "refused") return plan.why;
  if (plan.kind === "write") return `The master key is in ${plan.path}.`;
  if (plan.kind === "there") return `The master key was in ${plan.path} already.`;
  return `The master key ${ids.join(", ")} is not here: the service does not start without it. Copy your key file to ${plan.path} (mode 600).`;
}

type Interruption = {
  /** The received signal; null if there was none. */
  readonly signal: () => NodeJS.Signals | null;
  /** Resolves with the work's result, or rejects as soon as a signal arrives. */
  readonly orInterrupted: <Result>(work: Promise<Result>) => Promise<Result>;
  readonly stopWatching: () => void;
};

/** Lets a command clean up after a signal. A second signal ends the process at once. */
function watchForSignals(): Interruption {
  let received: NodeJS.Signals | null = null;
  let interrupt: (error: Error) => void = () => {};
  const interrupted = new Promise<never>((_resolve, reject) => {
    interrupt = reject;
  });
  // A signal while nothing is awaited is reported to the next `orInterrupted`.
  interrupted.catch(() => {});
  const stopWatching = () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals) => {
    stopWatching();
    received = signal;
    interrupt(new Error(`Interrupted by ${signal}.`));
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return { signal: () => received, orInterrupted: (work) => Promise.race([work, interrupted]), stopWatching };
}
