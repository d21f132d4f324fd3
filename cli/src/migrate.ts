import { cellName } from "@corprail/server/domain/cells/cell";
import { migrate } from "@corprail/server/platform/db/schema/migrate";
import { withDatabase } from "./shared/find-database.ts";
import { done, type Outcome } from "./shared/outcome.ts";
import type { CommandContext } from "./shared/run-command.ts";

/** Brings the database to this version's schema, as a start of the service does. */
export async function migrateDatabase(ctx: CommandContext): Promise<Outcome> {
  const { applied, role } = await withDatabase(ctx, "existing or new", (url) => migrate(url));
  if (role === null) ctx.note("The database's user may not create roles: it gave up its own right to change history instead.");
  for (const { cell, url } of ctx.config.cells) {
    const ofCell = await migrate(url);
    ctx.note(`${cellName(cell)}: ${ofCell.applied.length === 0 ? "up to date" : `applied ${ofCell.applied.join(", ")}`}`);
  }
  const words = applied.length === 0 ? "The database is up to date." : `Applied: ${applied.join(", ")}.`;
  return done(words, { applied, role });
}
