import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readKeyFile, replaceKeyFile } from "../../../platform/crypto/key-file.ts";
import { createOuterKey } from "../../../platform/crypto/outer-key.ts";
import { loadVault } from "../../../platform/crypto/vault.ts";
import { WAIT_MILLISECONDS } from "../../../testing/deadline.ts";
import { listAudit } from "../../audit/list.ts";
import { replaceCallbackSecret } from "../credentials/replace-callback-secret.ts";
import { replaceSigningSecret } from "../credentials/replace-signing-secret.ts";
import { replaceToken } from "../credentials/replace-token.ts";
import { newAccount, type TestSettings, testSettings } from "../testing/settings.ts";
import { rotateMasterKey } from "./rotate-master-key.ts";

// For what hangs, not for what is slow.
const WAIT = { timeout: WAIT_MILLISECONDS, interval: 10 };

let settings: TestSettings;
beforeEach(async () => {
  settings = await testSettings();
});
afterEach(() => settings.close());

async function keysInUse(): Promise<readonly string[]> {
  const rows = await settings.database.sql<{ key_id: string }[]>`select distinct key_id from credentials order by key_id`;
  return rows.map((row) => row.key_id);
}

async function manyTokens(count: number): Promise<readonly string[]> {
  const tokens: string[] = [];
  // A few at a time: a statement that waits for a free connection for too long is an error.
  while (tokens.length < count) {
    const made = await Promise.all(Array.from({ length: Math.min(10, count - tokens.length) }, () => newAccount(settings.ctx)));
    tokens.push(...made.map((account) => account.apiToken));
  }
  return tokens;
}

test("a rotation leaves one new key, and every token and secret works as before", async () => {
  const { accountId, apiToken } = await newAccount(settings.ctx);
  const replaced = await replaceSigningSecret(settings.ctx, "test", { accountId });
  await replaceToken(settings.ctx, "test", { accountId: (await newAccount(settings.ctx)).accountId });
  const [before] = await readKeyFile(settings.keyPath);
  const result = await rotateMasterKey(settings.ctx, "test", { path: settings.keyPath, settle: async () => {} });
  const keys = await readKeyFile(settings.keyPath);
  expect(result).toEqual({ kind: "done", keyId: keys[0].keyId, resealed: 4 });
  expect(keys).toHaveLength(1);
  expect(keys[0].keyId).not.toBe(before.keyId);
  expect(await keysInUse()).toEqual([keys[0].keyId]);
  const fresh = await settings.another();
  for (const { directory } of [settings, fresh]) {
    expect(directory.byToken(apiToken)?.accountId).toBe(accountId);
    const [secret] = directory.byToken(apiToken)?.signingSecrets ?? [];
    expect(secret?.key.export().toString()).toBe(replaced.kind === "done" ? replaced.signingSecret : "");
  }
});

test("the audit log names the new key first and the retired one last", async () => {
  const [old] = await readKeyFile(settings.keyPath);
  const result = await rotateMasterKey(settings.ctx, "cli", { path: settings.keyPath, settle: async () => {} });
  const newId = result.kind === "done" ? result.keyId : "";
  const entries = await listAudit(settings.database.sql, { before: null, limit: 10, subject: { kind: "master_key" } });
  expect(entries.map((entry) => [entry.action, entry.subject_id, entry.actor])).toEqual([
    ["master_key.retired", old.keyId, "cli"],
    ["master_key.resealed", newId, "cli"],
    ["master_key.added", newId, "cli"],
  ]);
});

test("a rotation interrupted half-way loses nothing, and running it again completes it", async () => {
  const tokens = await manyTokens(10);
  const interrupted = rotateMasterKey(settings.ctx, "test", {
    path: settings.keyPath,
    settle: async () => {},
    chunkRows: 3,
    onProgress: (resealed) => {
      if (resealed >= 6) throw new Error("interrupted");
    },
  });
  await expect(interrupted).rejects.toThrow("interrupted");
  const [half] = await readKeyFile(settings.keyPath);
  expect(await keysInUse()).toHaveLength(2);
  const between = await settings.another();
  for (const token of tokens) expect(between.directory.byToken(token)).not.toBeNull();
  const result = await rotateMasterKey(settings.ctx, "test", { path: settings.keyPath, settle: async () => {}, chunkRows: 3 });
  expect(result).toEqual({ kind: "done", keyId: half.keyId, resealed: 4 });
  expect(await keysInUse()).toEqual([half.keyId]);
  expect(await readKeyFile(settings.keyPath)).toHaveLength(1);
  const after = await settings.another();
  for (const token of tokens) expect(after.directory.byToken(token)).not.toBeNull();
});

test("a running process never fails to recognise a token while the key is rotated and secrets are replaced", async () => {
  const tokens = await manyTokens(20);
  const busy = await newAccount(settings.ctx);
  const running = await settings.another();
  const rotating = { done: false };
  let replaced = 0;
  // The running process goes on with its work, and knows of every change before the rotation goes on.
  const settle = async () => {
    const before = replaced;
    await vi.waitUntil(() => replaced >= before + 5, WAIT);
    await running.feed.refresh();
  };
  const rotation = rotateMasterKey(settings.ctx, "test", { path: settings.keyPath, chunkRows: 2, settle }).finally(() => {
    rotating.done = true;
  });
  while (!rotating.done) {
    for (const token of tokens) expect(running.directory.byToken(token)).not.toBeNull();
    await replaceCallbackSecret(running.ctx, "test", { accountId: busy.accountId });
    replaced++;
  }
  const result = await rotation;
  await running.feed.refresh();
  for (const token of tokens) expect(running.directory.byToken(token)).not.toBeNull();
  expect(await keysInUse()).toEqual([result.kind === "done" ? result.keyId : ""]);
});

test("a process that learns of the rotation by its feed alone recognises tokens it has not seen before, all the while", async () => {
  const tokens = await manyTokens(350);
  const running = await settings.another();
  // Each token once: the directory remembers those it has recognised.
  const unseen = [...tokens];
  const recognise = () => {
    for (const token of unseen.splice(0, 50)) expect(running.directory.byToken(token)).not.toBeNull();
  };
  const settle = async () => {
    recognise();
    await running.feed.refresh();
    recognise();
  };
  const result = await rotateMasterKey(settings.ctx, "test", { path: settings.keyPath, chunkRows: 200, settle, onProgress: recognise });
  expect(result).toMatchObject({ kind: "done", resealed: 350 });
  recognise();
  expect(unseen).toEqual([]);
});

test("a rotation that also replaces the outer key leaves running processes working", async () => {
  const tokens = await manyTokens(10);
  const [before, after] = [createOuterKey("5a".repeat(32), "it"), createOuterKey(`${"6b".repeat(32)}\n${"5a".repeat(32)}`, "it")];
  await replaceKeyFile(settings.keyPath, await readKeyFile(settings.keyPath), before);
  const running = await settings.another(await loadVault(settings.keyPath, before, async () => after));
  const rotating = await settings.another(await loadVault(settings.keyPath, after));
  const settle = async () => {
    await running.feed.refresh();
    for (const token of tokens) expect(running.directory.byToken(token)).not.toBeNull();
  };
  const result = await rotateMasterKey(rotating.ctx, "test", { path: settings.keyPath, chunkRows: 3, settle });
  expect(result).toMatchObject({ kind: "done", resealed: 10 });
  await settle();
  expect(await readKeyFile(settings.keyPath, createOuterKey("6b".repeat(32), "it"))).toHaveLength(1);
  expect(running.ctx.vault.keyring().currentKeyId).toBe(result.kind === "done" ? result.keyId : "");
});

test("of two rotations at once one is refused", async () => {
  const ended: string[] = [];
  // The one that has begun is under way until the other has its answer.
  const settle = () => vi.waitUntil(() => ended.length > 0, WAIT).then(() => {});
  const rotate = async () => ended.push((await rotateMasterKey(settings.ctx, "test", { path: settings.keyPath, settle })).kind);
  await Promise.all([rotate(), rotate()]);
  expect(ended).toEqual(["conflict", "done"]);
});

test("a process that slept through a rotation cannot leave a secret under the retired key", async () => {
  const { accountId } = await newAccount(settings.ctx);
  const asleep = await loadVault(settings.keyPath);
  await rotateMasterKey(settings.ctx, "test", { path: settings.keyPath, settle: async () => {} });
  const late = { ...settings.ctx, vault: asleep };
  await expect(replaceSigningSecret(late, "test", { accountId })).rejects.toThrow(/was retired/);
  await asleep.reload();
  expect(await replaceSigningSecret(late, "test", { accountId })).toMatchObject({ kind: "done" });
});
