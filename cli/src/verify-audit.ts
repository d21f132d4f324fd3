import { resolve } from "node:path";
import { verifyAudit } from "@corprail/server/domain/audit/verify";
import { cellName } from "@corprail/server/domain/cells/cell";
import { anchorOfCell } from "@corprail/server/domain/signing/anchor-file";
import { findChangedSinceRun } from "@corprail/server/domain/signing/verify-runs";
import { type ConnectedCell, withCells } from "./cell/find-cells.ts";
import { counted } from "./shared/counted.ts";
import { done, failed, type Outcome } from "./shared/outcome.ts";
import type { CommandContext } from "./shared/run-command.ts";
import { type EvidenceOptions, verifyFile } from "./statement/verify-file.ts";

/** Verifies the hash chain of the audit log, in every cell or in an export. It only reads, so a standby's address will do. */
export async function verifyAuditLog(ctx: CommandContext, file: string | undefined, options: EvidenceOptions): Promise<Outcome> {
  if (file !== undefined) return await verifyFile("audit", file, options);
  const anchor = options.anchor === undefined ? ctx.config.auditAnchorFile : resolve(options.anchor);
  return await withCells(ctx, async (cells) => {
    let entries = 0;
    for (const one of cells) {
      const checked = await verifyChain(one, anchor, cells.length === 1 ? "" : ` of ${cellName(one.cell)}`);
      if (typeof checked !== "number") return checked;
      entries += checked;
    }
    return done(`The audit log is intact: ${counted(entries, "entry", "entries")}.`, { entries });
  });
}

/** The number of entries of a cell's chain, or what is wrong with it. */
async function verifyChain({ cell, sql }: ConnectedCell, anchor: string, where: string): Promise<number | Outcome> {
  const result = await verifyAudit(sql);
  if (!result.ok)
    return failed(`The audit log${where} is broken at entry ${result.seq}: ${result.why}.`, { seq: Number(result.seq), why: result.why });
  const changed = await findChangedSinceRun(sql, anchorOfCell(anchor, cell));
  if (changed !== null) return failed(`The audit log${where} was rewritten: ${changed.why}.`, { seq: changed.seq, why: changed.why });
  return Number(result.count);
}
