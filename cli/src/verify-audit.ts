import { verifyAudit } from "@corprail/server/domain/audit/verify";
import { connect } from "@corprail/server/platform/db/connection";
import { withDatabase } from "./find-database.ts";
import { done, failed, type Outcome } from "./outcome.ts";
import type { CommandContext } from "./run-command.ts";
import { schemaFault } from "./schema.ts";

/** Walks the audit trail's chain. It only reads, so a standby's address will do. */
export async function verifyAuditTrail(ctx: CommandContext): Promise<Outcome> {
  return await withDatabase(ctx, "existing", verifyAt);
}

async function verifyAt(url: string): Promise<Outcome> {
  const { sql, close } = connect({ url, connections: 1, role: null });
  try {
    const fault = await schemaFault(sql);
    if (fault !== null) return failed(fault);
    const result = await verifyAudit(sql);
    if (result.ok) return done(`The audit trail is whole: ${result.count} entries.`, { entries: Number(result.count) });
    return failed(`The audit trail is broken at entry ${result.seq}: ${result.why}.`, { seq: Number(result.seq), why: result.why });
  } finally {
    await close();
  }
}
