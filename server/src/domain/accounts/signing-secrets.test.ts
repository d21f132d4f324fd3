import { afterAll, beforeAll, expect, test } from "vitest";
import { replaceSigningSecret } from "./credentials/replace-signing-secret.ts";
import { revokeOldSigningSecrets } from "./credentials/revoke-old-signing-secrets.ts";
import { readAccount } from "./read-account.ts";
import { newAccount, type TestSettings, testSettings } from "./testing/settings.ts";

const HOUR = 60 * 60 * 1000;

let settings: TestSettings;
beforeAll(async () => {
  settings = await testSettings();
});
afterAll(() => settings.close());

async function ends(accountId: string): Promise<readonly (number | null)[]> {
  const detail = await readAccount(settings.ctx, accountId);
  return detail?.signingSecrets.map((secret) => secret.expiresAt?.getTime() ?? null) ?? [];
}

test("a replaced secret works for 24 hours from its replacement, and one replaced before keeps its end", async () => {
  const { accountId } = await newAccount(settings.ctx);
  await replaceSigningSecret(settings.ctx, "test", { accountId });
  expect(await ends(accountId)).toEqual([null]);
  const firstReplacedAt = settings.clock.now();
  await replaceSigningSecret(settings.ctx, "test", { accountId });
  const [firstEnd] = await ends(accountId);
  expect((firstEnd ?? 0) - firstReplacedAt).toBeGreaterThanOrEqual(24 * HOUR);
  expect((firstEnd ?? 0) - firstReplacedAt).toBeLessThan(24 * HOUR + 5000);
  settings.clock.advance(10 * HOUR);
  await replaceSigningSecret(settings.ctx, "test", { accountId });
  const [stillFirstEnd, secondEnd, current] = await ends(accountId);
  expect([stillFirstEnd, current]).toEqual([firstEnd, null]);
  expect((secondEnd ?? 0) - (firstEnd ?? 0)).toBeGreaterThanOrEqual(10 * HOUR);
});

test("the old secret is shown until the last millisecond of its 24 hours and not after", async () => {
  const { accountId } = await newAccount(settings.ctx);
  await replaceSigningSecret(settings.ctx, "test", { accountId });
  await replaceSigningSecret(settings.ctx, "test", { accountId });
  const [end] = await ends(accountId);
  const at = (now: number) => readAccount({ sql: settings.ctx.sql, clock: { now: () => now } }, accountId);
  expect((await at((end ?? 0) - 1))?.signingSecrets).toHaveLength(2);
  expect((await at(end ?? 0))?.signingSecrets).toHaveLength(1);
});

test("revoking ends the old secrets now and leaves the current one", async () => {
  const { accountId } = await newAccount(settings.ctx);
  for (let round = 0; round < 3; round++) await replaceSigningSecret(settings.ctx, "test", { accountId });
  expect(await revokeOldSigningSecrets(settings.ctx, "test", { accountId })).toEqual({ kind: "done" });
  expect(await ends(accountId)).toEqual([null]);
  const inMemory = settings.directory.byId(accountId)?.signingSecrets ?? [];
  expect(inMemory.filter((secret) => secret.expiresAt === null || secret.expiresAt > settings.clock.now())).toHaveLength(1);
});

test("of replacements at once each gives a secret that works, and one is current", async () => {
  const { accountId } = await newAccount(settings.ctx);
  const made = await Promise.all(Array.from({ length: 8 }, () => replaceSigningSecret(settings.ctx, "test", { accountId })));
  expect(new Set(made.map((result) => (result.kind === "done" ? result.signingSecret : ""))).size).toBe(8);
  const all = await ends(accountId);
  expect(all).toHaveLength(8);
  expect(all.filter((end) => end === null)).toHaveLength(1);
});
