import { cellName } from "@corprail/server/domain/cells/cell";
import { connect } from "@corprail/server/platform/db/connection";
import { migrate } from "@corprail/server/platform/db/schema/migrate";
import { SCHEMA_FOLDER } from "@corprail/server/platform/db/schema/read-schema";
import { withDatabase } from "../shared/find-database.ts";
import { done, failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { version } from "../version.ts";

export type RunOptions = { readonly contract?: boolean };

type Place = { readonly database: string; readonly url: string };

/** Applies the migrations of this version while the previous one runs. Contracting ones wait until it does not. */
export async function runUpgrade(ctx: CommandContext, options: RunOptions): Promise<Outcome> {
  return await withDatabase(ctx, "existing", async (url) => {
    const places: readonly Place[] = [
      { database: "home", url },
      ...ctx.config.cells.map((one) => ({ database: cellName(one.cell), url: one.url })),
    ];
    const older = options.contract ? await olderPrograms(url) : [];
    if (older.length > 0)
      return failed(`Another version still runs: ${older.join(", ")}. Stop it before you contract, because it would fail afterwards.`, {
        running: older,
      });
    const applied: Record<string, readonly string[]> = {};
    for (const { database, url: address } of places) {
      const onStep = (text: string) => ctx.note(`${database}: ${text}`);
      applied[database] = (await migrate(address, SCHEMA_FOLDER, { contract: options.contract === true, onStep })).applied;
    }
    const count = Object.values(applied).flat().length;
    const words = count === 0 ? "Nothing was to be applied." : `${count} migrations were applied.`;
    return done(`${words} ${options.contract ? "" : "Now start the new version, one process after the other."}`.trim(), { applied });
  });
}

/** Processes of another version, which may use what a contraction removes. */
async function olderPrograms(url: string): Promise<readonly string[]> {
  const { sql, close } = connect({ url, connections: 1, role: null });
  try {
    const rows = await sql<{ host: string; pid: number; version: string | null }[]>`
      select p.host, p.pid, r.report->>'version' as version from processes p left join process_reports r using (process_id)
      where p.seen_at > now() - interval '15 seconds'`;
    return rows
      .filter((row) => row.version !== version())
      .map((row) => `${row.host} (process ${row.pid}), version ${row.version ?? "unknown"}`);
  } finally {
    await close();
  }
}
