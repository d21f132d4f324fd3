import { access } from "node:fs/promises";
import type { Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import type { Sql } from "../db/connection.ts";
import { ensureKeyFile, readKeyFile } from "./key-file.ts";
import type { OuterKey } from "./outer-key.ts";

export type KeyFileQuestion = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly ids: Ids;
  /** From CORPRAIL_MASTER_KEY_FILE; null when it is not set. */
  readonly configured: string | null;
  /** The file that a first start creates. */
  readonly inDataFolder: string;
  /** What seals the key file. */
  readonly outer: OuterKey;
};

type Installation = { readonly master_key_file: string; readonly master_key_id: string };

/**
 * Finds the file with the master key of this database. A second process on the same machine finds the file of the first
 * one through the database, even if it has another data folder.
 */
export async function findKeyFile(question: KeyFileQuestion): Promise<string> {
  const wanted = question.configured ?? question.inDataFolder;
  const installation = (await readInstallation(question.sql)) ?? (await recordInstallation(question, wanted));
  for (const path of new Set([wanted, question.inDataFolder, installation.master_key_file])) {
    if (await holdsKey(path, installation.master_key_id, question.outer)) return path;
  }
  throw new Error(
    `This database's secrets are sealed with the master key ${installation.master_key_id}, which is not in ${wanted}. ` +
      `It was last in ${installation.master_key_file}: set CORPRAIL_MASTER_KEY_FILE to that file or a copy of it.`,
  );
}

async function readInstallation(sql: Sql): Promise<Installation | undefined> {
  const [row] = await sql<Installation[]>`select master_key_file, master_key_id from installation`;
  return row;
}

/** Records the key file on a first start. Of two concurrent starts, the one that inserts the row first wins. */
async function recordInstallation(question: KeyFileQuestion, path: string): Promise<Installation> {
  await ensureKeyFile(path, question.outer);
  const [key] = await readKeyFile(path, question.outer);
  await question.sql`
    insert into installation (installation_id, created_at, master_key_file, master_key_id)
    values (${question.ids.account()}, ${new Date(question.clock.now())}, ${path}, ${key.keyId}) on conflict do nothing`;
  const installation = await readInstallation(question.sql);
  if (!installation) throw new Error("The installation table has no row.");
  return installation;
}

async function holdsKey(path: string, keyId: string, outer: OuterKey): Promise<boolean> {
  try {
    await access(path);
  } catch {
    return false;
  }
  return (await readKeyFile(path, outer)).some((key) => key.keyId === keyId);
}
