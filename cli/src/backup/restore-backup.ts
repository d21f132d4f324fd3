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

export type RestoreOptions = { readonly masterKey?: string };

/** Into a fresh place only. Whatever can be refused is refused before anything is written. */
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
  let began = false;
  try {
    return await withDatabase(ctx, "existing or new", async (url) => {
      began = true;
      return await restoreAt(ctx, url, path, inspected, plan);
    });
  } catch (error) {
    // What was made in the folder would pass for an installation.
    if (began && !(error instanceof NotFresh)) await clearFolder(ctx);
    throw error;
  }
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

async function restoreAt(ctx: CommandContext, url: string, path: string, { header, rows }: Inspected, plan: KeyPlan): Promise<Outcome> {
  const { size } = await stat(path);
  await loadBackup(ctx, { url, path, header, bytes: size });
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
