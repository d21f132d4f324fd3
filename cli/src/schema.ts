import type { Sql } from "@corprail/server/platform/db/connection";
import { DEVELOPMENT_VERSION, isDevelopmentVersion, isMigrated } from "@corprail/server/platform/db/schema/migrate";

/** Why a command that must not migrate cannot work on this database; null when it can. */
export async function schemaFault(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ present: boolean }[]>`select to_regclass('schema_migrations') is not null as present`;
  if (row?.present) {
    const applied = await sql<{ version: number; name: string }[]>`select version, name from schema_migrations`;
    if (isDevelopmentVersion(applied)) return `The database ${DEVELOPMENT_VERSION}`;
    if (await isMigrated(sql)) return null;
  }
  return "The database lacks migrations of this version. Run corprail migrate first.";
}
