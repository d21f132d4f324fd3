import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomIds } from "../../../platform/core/ids.ts";
import { ensureKeyFile } from "../../../platform/crypto/key-file.ts";
import { loadVault, type Vault } from "../../../platform/crypto/vault.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { type TestDatabase, testDatabase } from "../../../testing/database.ts";
import { audited, type ChangeFeed, followChanges } from "../../audit/feed.ts";
import type { AccountsContext } from "../context.ts";
import { createAccount } from "../create-account.ts";
import { type AccountDirectory, accountChanges, loadDirectory } from "../directory.ts";

/** A process's view of the settings, with its own vault, directory and feed. */
export type SettingsProcess = { readonly ctx: AccountsContext; readonly directory: AccountDirectory; readonly feed: ChangeFeed };

export type TestSettings = SettingsProcess & {
  readonly database: TestDatabase;
  readonly keyPath: string;
  readonly clock: { now: () => number; advance: (milliseconds: number) => void };
  readonly another: (vault?: Vault) => Promise<SettingsProcess>;
  readonly close: () => Promise<void>;
};

/** A separate database with a key file and one process; `another` starts a second process. */
export async function testSettings(): Promise<TestSettings> {
  const database = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), "corprail-keys-"));
  const keyPath = join(folder, "master.key");
  await ensureKeyFile(keyPath);
  const clock = movableClock();
  const processes: SettingsProcess[] = [];
  const another = async (vault?: Vault) => {
    const started = await startProcess(database.sql, vault ?? (await loadVault(keyPath)), clock);
    processes.push(started);
    return started;
  };
  const close = async () => {
    for (const process of processes) process.feed.close();
    await database.drop();
    await rm(folder, { recursive: true });
  };
  return { ...(await another()), database, keyPath, clock, another, close };
}

export async function newAccount(
  ctx: AccountsContext,
  name = "Asha Stores",
  sandbox = false,
): Promise<{ accountId: string; apiToken: string }> {
  const created = await createAccount(ctx, "test", { name, sandbox });
  if (created.kind !== "done") throw new Error("The account was not created.");
  return created;
}

async function startProcess(sql: Sql, vault: Vault, clock: AccountsContext["clock"]): Promise<SettingsProcess> {
  const from = await audited(sql);
  const directory = await loadDirectory(sql, vault);
  const feed = followChanges({ sql, from, apply: accountChanges(vault, directory), onError: () => {} });
  return { ctx: { sql, vault, clock, ids: randomIds(), refresh: feed.refresh }, directory, feed };
}

function movableClock(): TestSettings["clock"] {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    advance: (milliseconds) => {
      offset += milliseconds;
    },
  };
}
