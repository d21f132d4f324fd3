import { resolve } from "node:path";
import { verifyAudit } from "@corprail/server/domain/audit/verify";
import { findChangedSinceRun } from "@corprail/server/domain/signing/verify-runs";
import { connect } from "@corprail/server/platform/db/connection";
import { withDatabase } from "./find-database.ts";
import { done, failed, type Outcome } from "./outcome.ts";
import type { CommandContext } from "./run-command.ts";
import { schemaFault } from "./schema.ts";
import { type EvidenceOptions, verifyFile } from "./statement/verify-file.ts";

/** Walks the audit trail's chain, of the database or of an export. It only reads, so a standby's address will do. */
export async function verifyAuditTrail(ctx: CommandContext, file: string | undefined, options: EvidenceOptions): Promise<Outcome> {
  if (file !== undefined) return await verifyFile("audit", file, options);
  const anchor = options.anchor === undefined ? ctx.config.auditAnchorFile : resolve(options.anchor);
  return await withDatabase(ctx, "existing", (url) => verifyAt(url, anchor));
}

async function verifyAt(url: string, anchor: string): Promise<Outcome> {
  const { sql, close } = connect({ url, connections: 1, role: null });
  try {
    const fault = await schemaFault(sql);
    if (fault !== null) return failed(fault);
    const result = await verifyAudit(sql);
    if (!result.ok)
      return failed(`The audit trail is broken at entry ${result.seq}: ${result.why}.`, { seq: Number(result.seq), why: result.why });
    const changed = await findChangedSinceRun(sql, anchor);
    if (changed !== null) return failed(`The audit trail was rewritten: ${changed.why}.`, { seq: changed.seq, why: changed.why });
    return done(`The audit trail is whole: ${result.count} entries.`, { entries: Number(result.count) });
  } finally {
    await close();
  }
}
