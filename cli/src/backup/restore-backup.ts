import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { verifyAudit } from "@corprail/server/domain/audit/verify";
import { connect } from "@corprail/server/platform/db/connection";
import { withDatabase } from "../find-database.ts";
import { done, failed, type Outcome } from "../outcome.ts";
import type { CommandContext } from "../run-command.ts";
import { verifyLedgerOn } from "../verify-ledger.ts";
import { BrokenBackup } from "./frames.ts";
import { clearFolder, NotFresh, placeFault } from "./fresh-place.ts";
import type { Header } from "./header.ts";
import { type Inspected, inspectBackup, schemaFaultOf } from "./inspect-backup.ts";
import { loadBackup } from "./load-backup.ts";
import { type KeyPlan, placeKey, planKey } from "./master-key.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type RestoreOptions = { readonly masterKey?: string };

/** Restores a backup into an empty target. Everything that can be checked is checked before anything is written. */
export async function restoreBackup(ctx: CommandContext, file: string, options: RestoreOptions): Promise<Outcome> {
  const path = resolve(file);
  const inspected = await readWhole(ctx, path);
  if (typeof inspected === "string") return failed(`${path} cannot be restored: ${inspected}`);
  const { header } = inspected;
  const fault = (await schemaFaultOf(header)) ?? (await placeFault(ctx, header));
  if (fault !== null) return failed(fault);
  const plan = await planKey(ctx, header, options.masterKey);
  if (plan.kind === "refused") return failed(plan.why);
  ctx.note(`Restoring the backup of ${header.taken_at}: ${header.tables.length} tables, ${inspected.rows} rows.`);
  return await cleaningUp(ctx, (stage, interruption) =>
    withDatabase(ctx, "existing or new", async (url) => {
      const work = restoreAt(ctx, { url, path, inspected, plan, stage });
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
  const database = "the database of CORPRAIL_DATABASE_URL";
  return committing
    ? `Its rows may be in ${database} already, and nobody has checked them: drop that database, create it again, and restore again.`
    : `No rows were kept, only empty tables in ${database}: run the same command again, it goes on from there.`;
}

async function readWhole(ctx: CommandContext, path: string): Promise<Inspected | string> {
  if (!existsSync(path)) return "there is no such file.";
  try {
    return await inspectBackup(ctx, path);
  } catch (error) {
    if (error instanceof BrokenBackup) return `${error.message}.`;
    throw error;
  }
}

type Restoring = {
  readonly url: string;
  readonly path: string;
  readonly inspected: Inspected;
  readonly plan: KeyPlan;
  readonly stage: Stage;
};

async function restoreAt(ctx: CommandContext, { url, path, inspected, plan, stage }: Restoring): Promise<Outcome> {
  const { header, rows } = inspected;
  const { size } = await stat(path);
  const onCommit = () => {
    stage.committing = true;
  };
  await loadBackup(ctx, { url, path, header, bytes: size, onCommit });
  await placeKey(plan);
  ctx.note("The rows are in. Checking the ledger and the audit trail.");
  const { sql, close } = connect({ url, connections: 1, role: null });
  try {
    const [ledger, audit] = [await verifyLedgerOn(ctx, sql), await verifyAudit(sql)];
    const trail = audit.ok
      ? `The audit trail is whole: ${audit.count} entries.`
      : `The audit trail is broken at entry ${audit.seq}: ${audit.why}.`;
    const fields = { ...restored(header, rows), master_key: plan.kind, ledger_ok: ledger.ok, audit_ok: audit.ok };
    const report = [ledger.text, trail, keyWords(plan, header)].join("\n");
    if (ledger.ok && audit.ok) return done(`The backup of ${header.taken_at} is restored.`, fields, report);
    return failed("The backup is restored, but its data is not consistent.", fields, report);
  } finally {
    await close();
  }
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
