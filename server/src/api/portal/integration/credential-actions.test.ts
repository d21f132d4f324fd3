import { afterAll, beforeAll, expect, test } from "vitest";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { createCallLog } from "../../../domain/api-log/call-log.ts";
import { aCall, addressOf } from "../../../domain/api-log/testing/calls.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
});
afterAll(() => fixture.close());

const actorsOf = async (accountId: string) =>
  (
    await fixture.ctx.sql<{ actor: string; action: string }[]>`
    select actor, action from audit_log where subject_id = ${accountId} order by seq`
  ).map((row) => `${row.actor} ${row.action}`);

async function use(accountId: string, credentialId: string | null, at: number, how: "secret" | "old_secret" = "secret"): Promise<void> {
  const log = createCallLog({ sql: fixture.ctx.sql, log: { warn: () => {} } });
  const [token] = (await fixture.as("owner", accountId).get("/credentials")).body.tokens;
  const signedBy = credentialId === null ? null : { how, credentialId };
  log.record(aCall({ accountId, at, address: addressOf("10.1.2.3"), signedBy, tokenId: token.token_id }));
  await log.close();
}

test("a new token is shown once and works; afterwards its prefix and last four letters are all that can be read", async () => {
  const { accountId, apiToken } = await fixture.newAccount();
  const owner = fixture.as("owner", accountId);
  const before = await owner.get("/credentials");
  expect(before.status).toBe(200);
  expect(before.body.token).toEqual({
    masked: `tok_live_••••${apiToken.slice(-4)}`,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    last_used_at: null,
    last_address: null,
  });
  expect(before.text).not.toContain(apiToken.slice(9, -4));
  const replaced = await owner.post("/credentials/token");
  expect(replaced.body.api_token).toMatch(/^tok_live_/);
  expect(fixture.settings.directory.byToken(replaced.body.api_token)?.accountId).toBe(accountId);
  expect(fixture.settings.directory.byToken(apiToken)).toBeNull();
  expect((await owner.get("/credentials")).text).not.toContain(replaced.body.api_token.slice(9, -4));
  expect(await actorsOf(accountId)).toContain(`user:${owner.session.userId} account.token_replaced`);
});

test("the token's last use is that of the token of now, not of the one before it", async () => {
  const { accountId } = await fixture.newAccount();
  const owner = fixture.as("owner", accountId);
  const at = fixture.ctx.clock.now();
  await use(accountId, null, at);
  expect((await owner.get("/credentials")).body.token).toMatchObject({ last_used_at: indiaDateTime(at), last_address: "10.1.2.3" });
  fixture.settings.clock.advance(1_000);
  await owner.post("/credentials/token");
  expect((await owner.get("/credentials")).body.token).toMatchObject({ last_used_at: null, last_address: null });
});

test("a replaced signing secret stays for its overlap with the calls that still use it, until it is revoked", async () => {
  const { accountId } = await fixture.newAccount();
  const developer = fixture.as("developer", accountId);
  expect((await developer.post("/credentials/signing-secret")).body.signing_secret).toMatch(/^sig_/);
  fixture.settings.clock.advance(1_000);
  await developer.post("/credentials/signing-secret");
  const [old, current] = (await developer.get("/credentials")).body.signing_secrets;
  expect(current).toMatchObject({ expires_at: null, calls_24h: 0, last_used_at: null });
  expect(old.expires_at).not.toBeNull();
  const at = fixture.ctx.clock.now();
  await use(accountId, old.credential_id, at - 1_000, "old_secret");
  await use(accountId, old.credential_id, at, "old_secret");
  await use(accountId, current.credential_id, at);
  const used = (await developer.get("/credentials")).body.signing_secrets;
  expect(used.map((secret: { calls_24h: number }) => secret.calls_24h)).toEqual([2, 1]);
  expect(used[0].last_used_at).toBe(indiaDateTime(at));
  const left = await developer.post("/credentials/signing-secret/revoke-old");
  expect(left.body.signing_secrets.map((secret: { credential_id: string }) => secret.credential_id)).toEqual([current.credential_id]);
});

test("signing can be required once there is a secret, and only the side that required it can undo that", async () => {
  const { accountId } = await fixture.newAccount();
  const owner = fixture.as("owner", accountId);
  expect((await owner.post("/credentials/signing-required", { required: true })).status).toBe(409);
  await owner.post("/credentials/signing-secret");
  expect((await owner.post("/credentials/signing-required", { required: true })).body.signing_required).toBe(true);
  expect((await owner.post("/credentials/signing-required", { required: false })).body.signing_required).toBe(false);
  await changeAccount(fixture.ctx, "operator", { accountId, signingRequired: true });
  const refused = await owner.post("/credentials/signing-required", { required: false });
  expect(refused.status).toBe(409);
  expect(refused.body.message).toMatch(/account manager/);
});

test("secrets need a fresh proof and the right role, and a read-only role has no access to one", async () => {
  const { accountId } = await fixture.newAccount();
  const stale = fixture.as("owner", accountId, { provedAt: fixture.ctx.clock.now() - 6 * 60_000 });
  for (const path of ["token", "signing-secret", "signing-secret/revoke-old"]) {
    expect((await stale.post(`/credentials/${path}`)).body.error).toBe("step_up_required");
    expect((await fixture.as("operations", accountId).post(`/credentials/${path}`)).status).toBe(403);
  }
  const reader = await fixture.as("read_only", accountId).get("/credentials");
  expect(reader.status).toBe(200);
  expect(reader.text).not.toMatch(/(sig|cbk|tok_live)_[A-Za-z0-9]/);
});
