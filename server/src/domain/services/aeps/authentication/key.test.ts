import { createPublicKey } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rotateMasterKey } from "../../../accounts/master-key/rotate-master-key.ts";
import { type TestSettings, testSettings } from "../../../accounts/testing/settings.ts";
import type { AepsContext } from "../context.ts";
import { encryptFor, newAadhaar } from "../testing/aeps-client.ts";
import { AEPS_KEY, type AepsKey, holdKey, type KeyHolder } from "./key.ts";

let settings: TestSettings;
beforeAll(async () => {
  settings = await testSettings();
});
afterAll(() => settings?.close());

/** A process of its own, as far as the key goes. */
async function newProcess(): Promise<KeyHolder> {
  const { ctx } = await settings.another();
  return holdKey(ctx as unknown as AepsContext);
}

const opens = (key: AepsKey, encrypted: string, digits: string) => expect(key.decrypt(encrypted)).toBe(digits);

test("eight processes that need the key at once make one and all open it", async () => {
  const holders = await Promise.all(Array.from({ length: 8 }, newProcess));
  const keys = await Promise.all(holders.map((open) => open()));
  expect(new Set(keys.map((key) => key.keyId)).size).toBe(1);
  const [first] = keys as [AepsKey];
  expect(createPublicKey(first.publicKeyPem).asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 });
  const digits = newAadhaar();
  for (const key of keys) {
    opens(key, encryptFor(first.publicKeyPem, digits), digits);
    expect(key.digest("a")).toEqual(first.digest("a"));
  }
  const entries = await settings.database.sql`select action from audit_log where action = 'aeps.key_made'`;
  expect(entries).toHaveLength(1);
});

test("a process opens the key once and keeps it", async () => {
  const open = await newProcess();
  expect(await open()).toBe(await open());
});

test("a process that could not open the key tries again", async () => {
  const { ctx } = await settings.another();
  let broken = true;
  const vault = {
    ...ctx.vault,
    open: (...given: Parameters<typeof ctx.vault.open>) => (broken ? Promise.reject(new Error("no")) : ctx.vault.open(...given)),
  };
  const open = holdKey({ ...ctx, vault } as unknown as AepsContext);
  await expect(open()).rejects.toThrow("no");
  broken = false;
  expect((await open()).keyId).toMatch(/^aeps-[0-9a-f]{12}$/);
});

test("what is not encrypted with the key opens to nothing", async () => {
  const { decrypt, publicKeyPem } = await (await newProcess())();
  for (const text of [
    "",
    "AAAA",
    Buffer.alloc(256).toString("base64"),
    Buffer.alloc(256, 255).toString("base64"),
    Buffer.alloc(512, 1).toString("base64"),
  ])
    expect(decrypt(text)).toBeNull();
  expect(decrypt(encryptFor(publicKeyPem, "anything"))).toBe("anything");
});

test("a rotation of the master key seals it again: the same key and digests, under the new master key only", async () => {
  const before = await (await newProcess())();
  const digits = newAadhaar();
  const encrypted = encryptFor(before.publicKeyPem, digits);
  const sealed = async () => (await settings.database.sql<{ key: string }[]>`select secret_key_id as key from aeps_encryption_key`)[0]?.key;
  const old = await sealed();
  const options = { path: settings.keyPath, settle: async () => {}, others: [AEPS_KEY] };
  const result = await rotateMasterKey(settings.ctx, "test", options);
  expect(result).toMatchObject({ kind: "done", resealed: 1 });
  expect(await sealed()).not.toBe(old);
  const after = await (await newProcess())();
  expect(after.keyId).toBe(before.keyId);
  opens(after, encrypted, digits);
  opens(before, encrypted, digits);
  expect(after.digest(`A1/${digits}`)).toEqual(before.digest(`A1/${digits}`));
});

test("nothing of the private key is in the database in clear", async () => {
  const [row] = await settings.database.sql<{ text: string; secret: Buffer }[]>`select k::text as text, secret from aeps_encryption_key k`;
  expect(row?.text).not.toContain("PRIVATE KEY");
  expect(row?.secret.toString("latin1")).not.toContain("PRIVATE KEY");
});
