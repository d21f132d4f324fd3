import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { anchorOfCell } from "@corprail/server/domain/signing/anchor-file";
import { auditExport } from "@corprail/server/domain/signing/audit-export";
import { signedStatement } from "@corprail/server/domain/signing/signed-statement";
import { HOME_CELL } from "@corprail/server/platform/core/ids";
import { indiaDate, indiaMonthSpan } from "@corprail/server/platform/core/india-time";
import { withOtherCells } from "../cell/find-cells.ts";
import { withInstallation } from "../shared/load-installation.ts";
import { done, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";

/** Writes the signed days of an account's month as a file that verify-statement.mjs reads. */
export async function exportStatement(ctx: CommandContext, accountId: string, month: string, file: string): Promise<Outcome> {
  const span = indiaMonthSpan(month);
  if (span === null) throw new UsageFault(`${month} is not a month such as 2026-01.`);
  return await withInstallation(
    ctx,
    async ({ sql, clock }) => {
      const accounts = await sql`select account_id from accounts where account_id = ${accountId}`;
      if (accounts.length === 0) return failed(`There is no account ${accountId}.`);
      const range = { accountId, from: indiaDate(span.fromMilliseconds), to: indiaDate(span.toMilliseconds - 1) };
      const lines = await writeLines(file, signedStatement(sql, range, new Date(clock.now())));
      return done(`The signed statement of ${month} is in ${resolve(file)}.`, { file: resolve(file), lines });
    },
    { accountId },
  );
}

/** Writes the whole audit log with its signed runs as a file that verify-audit.mjs reads. Every cell has a log and a file of its own. */
export async function exportAudit(ctx: CommandContext, file: string): Promise<Outcome> {
  return await withInstallation(ctx, (home) =>
    withOtherCells(ctx, home.sql, async (others) => {
      const cells = [{ cell: HOME_CELL, sql: home.sql }, ...others];
      const files: string[] = [];
      let lines = 0;
      for (const { cell, sql } of cells) {
        const path = anchorOfCell(resolve(file), cell);
        lines += await writeLines(path, auditExport({ ...home, sql }));
        files.push(path);
      }
      const words = files.length === 1 ? "The audit log is in" : "Every cell has an audit log. They are in";
      return done(`${words} ${files.join(", ")}.`, { file: resolve(file), lines, ...(files.length === 1 ? {} : { files }) });
    }),
  );
}

/** Only you can read the file. A file that exists is not replaced. */
async function writeLines(file: string, parts: AsyncIterable<string>): Promise<number> {
  const handle = await open(resolve(file), "wx", 0o600);
  let lines = 0;
  try {
    for await (const part of parts) {
      await handle.appendFile(part);
      lines += part.split("\n").length - 1;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return lines;
}
