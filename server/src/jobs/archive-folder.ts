import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listArchivedMonths } from "../domain/ledger/archived-months.ts";
import type { Sql } from "../platform/db/connection.ts";

const MARK = ".corprail-archive";

/**
 * Why the schedule must not move months to the folder; null if it may. Storage that is not mounted, or another machine's disk,
 * looks like an empty folder, and a month that is written there is dropped from the database. So the folder is marked.
 */
export async function archiveFolderFault(sql: Sql, folder: string): Promise<string | null> {
  if (!(await exists(folder))) return `The folder ${folder} does not exist. Create it, or mount its storage.`;
  const mark = join(folder, MARK);
  if (await exists(mark)) return null;
  const [newest] = await listArchivedMonths(sql);
  if (newest && !(await exists(join(folder, newest.month))))
    return `The folder ${folder} does not have the archive of ${newest.month}. Mount its storage. To use this folder from now on, create the file ${mark}.`;
  await writeFile(mark, "", { mode: 0o600 });
  return null;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
