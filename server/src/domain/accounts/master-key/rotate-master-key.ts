import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { readKeyFile, replaceKeyFile } from "../../../platform/crypto/key-file.ts";
import { type Keyring, type MasterKey, newMasterKey } from "../../../platform/crypto/keyring.ts";
import type { Sql, Transaction } from "../../../platform/db/connection.ts";
import { appendAudit } from "../../audit/append.ts";
import type { AccountsContext, Conflict } from "../context.ts";
import { countOnOldKeys, resealChunk } from "./reseal-credentials.ts";

/** The advisory lock that allows one rotation at a time. */
export const ROTATION_LOCK = 7_236_154_202;
const CHUNK_ROWS = 500;
const SETTLE_MILLISECONDS = 2000;
const BUSY_ROW_MILLISECONDS = 50;

export type RotationOptions = {
  readonly path: string;
  readonly onProgress?: (resealed: number) => void;
  /** Waits until running processes know all changes so far: two seconds, because they poll every second. */
  readonly settle?: () => Promise<void>;
  readonly chunkRows?: number;
  /** The databases of the cells beside home. All cells share the key. No account may be moved during the rotation. */
  readonly otherCells?: readonly Sql[];
  /** Rows of other modules that are sealed with the same key. */
  readonly others?: readonly SealedRows[];
};

export type SealedRows = {
  readonly countOnOldKeys: (sql: Sql | Transaction, currentKeyId: string) => Promise<number>;
  /** Reseals up to this many rows with the current key. Returns their number. */
  readonly reseal: (sql: Sql, keyring: Keyring, rows: number) => Promise<number>;
};

const CREDENTIALS: SealedRows = { countOnOldKeys, reseal: resealChunk };

export type RotationResult = { readonly kind: "done"; readonly keyId: string; readonly resealed: number } | Conflict;

/**
 * Replaces the master key while processes are running. They learn the new key before any row is sealed with it, and the old
 * key is removed after all rows are resealed. Run it again to resume an interrupted rotation.
 */
export async function rotateMasterKey(ctx: AccountsContext, actor: string, options: RotationOptions): Promise<RotationResult> {
  const connection = await ctx.sql.reserve();
  try {
    const [lock] = await connection<{ taken: boolean }[]>`select pg_try_advisory_lock(${ROTATION_LOCK}) as taken`;
    if (!lock?.taken) return { kind: "conflict", reason: "Another rotation of the master key is in progress." };
    try {
      return await rotate(ctx, actor, options);
    } finally {
      await connection`select pg_advisory_unlock(${ROTATION_LOCK})`;
    }
  } finally {
    connection.release();
  }
}

async function rotate(home: AccountsContext, actor: string, options: RotationOptions): Promise<RotationResult> {
  const settle = options.settle ?? (() => sleep(SETTLE_MILLISECONDS));
  const [current, ...old] = await prepareKeyFile(home, options.path);
  const all = [home, ...(options.otherCells ?? []).map((sql) => ({ ...home, sql }))];
  for (const ctx of all) {
    // From now on a starting process needs the new key; the file contains both.
    await ctx.sql`update installation set master_key_id = ${current.keyId}, master_key_file = ${options.path}`;
    await record(ctx, actor, "master_key.added", current.keyId, { replaces: old.map((key) => key.keyId) });
  }
  await settle();
  let resealed = 0;
  do {
    for (const ctx of all) {
      resealed += await resealAll(ctx, current, options, resealed);
      await record(ctx, actor, "master_key.resealed", current.keyId, { credentials: resealed });
    }
    await settle();
    // A process that was suspended until now may have sealed with the old key once more.
  } while (!(await retireEverywhere(all, actor, options, { current, old })));
  await home.vault.reload();
  await home.refresh();
  return { kind: "done", keyId: current.keyId, resealed };
}

// More than one key in the file means that a rotation was interrupted; its new key is the first.
async function prepareKeyFile(ctx: AccountsContext, path: string): Promise<readonly [MasterKey, ...MasterKey[]]> {
  const keys = await readKeyFile(path, ctx.vault.outer());
  const next = keys.length > 1 ? keys : ([newMasterKey(), ...keys] as const);
  if (next !== keys) await replaceKeyFile(path, next, ctx.vault.outer());
  await ctx.vault.reload();
  return next;
}

async function resealAll(ctx: AccountsContext, current: MasterKey, options: RotationOptions, before: number): Promise<number> {
  let resealed = 0;
  for (const rows of sealedRows(options)) {
    while ((await rows.countOnOldKeys(ctx.sql, current.keyId)) > 0) {
      const moved = await rows.reseal(ctx.sql, ctx.vault.keyring(), options.chunkRows ?? CHUNK_ROWS);
      if (moved === 0) await sleep(BUSY_ROW_MILLISECONDS);
      resealed += moved;
      options.onProgress?.(before + resealed);
    }
  }
  return resealed;
}

function sealedRows(options: RotationOptions): readonly SealedRows[] {
  return [CREDENTIALS, ...(options.others ?? [])];
}

type Keys = { readonly current: MasterKey; readonly old: readonly MasterKey[] };

/**
 * Home is last: once a cell has retired the old keys, nothing can be sealed with them there, and the file loses them only when
 * no cell needs them.
 */
async function retireEverywhere(all: readonly AccountsContext[], actor: string, options: RotationOptions, keys: Keys): Promise<boolean> {
  const [home, ...others] = all;
  for (const ctx of others) if (!(await retire(ctx, actor, options, keys))) return false;
  return (
    home === undefined || (await retire(home, actor, options, keys, () => replaceKeyFile(options.path, [keys.current], home.vault.outer())))
  );
}

/** Returns false when a row still needs an old key. Runs `after` under the audit head's lock, where no secret can be added. */
async function retire(
  ctx: AccountsContext,
  actor: string,
  options: RotationOptions,
  { current, old }: Keys,
  after?: () => Promise<void>,
): Promise<boolean> {
  return await ctx.sql.begin(async (tx) => {
    await tx`select seq from audit_head for update`;
    for (const rows of sealedRows(options)) if ((await rows.countOnOldKeys(tx, current.keyId)) > 0) return false;
    for (const key of old) await append(tx, ctx, actor, "master_key.retired", key.keyId, { replaced_by: current.keyId });
    await after?.();
    return true;
  });
}

async function record(ctx: AccountsContext, actor: string, action: string, keyId: string, details: JsonObject): Promise<void> {
  await ctx.sql.begin((tx) => append(tx, ctx, actor, action, keyId, details));
  await ctx.refresh();
}

async function append(
  tx: Transaction,
  ctx: AccountsContext,
  actor: string,
  action: string,
  keyId: string,
  details: JsonObject,
): Promise<void> {
  await appendAudit(tx, new Date(ctx.clock.now()), { actor, action, subject: { kind: "master_key", id: keyId }, details });
}
