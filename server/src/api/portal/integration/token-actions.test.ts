import { afterAll, beforeAll, expect, test } from "vitest";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
});
afterAll(() => fixture?.close());

const TOKEN = { name: "Branch office", scopes: ["recharge"], read_only: true, expires_at: "2099-01-01 00:00:00" };

test("a token is created, shown once, renamed, made the primary one and revoked", async () => {
  const { accountId } = await fixture.newAccount();
  const owner = fixture.as("owner", accountId);
  const created = await owner.post("/credentials/tokens", TOKEN);
  expect(created).toMatchObject({ status: 200, body: { token_id: expect.any(String), api_token: expect.stringMatching(/^tok_live_/) } });
  const listed = await owner.get("/credentials");
  expect(listed.text).not.toContain(created.body.api_token.slice(9, -4));
  const [first, branch] = listed.body.tokens;
  expect(first).toMatchObject({ name: "First token", primary: true, scopes: null, expired: false });
  expect(branch).toMatchObject({ ...TOKEN, token_id: created.body.token_id, primary: false, expired: false, last_used_at: null });
  const path = `/credentials/tokens/${created.body.token_id}`;
  expect((await owner.post(`${path}/primary`)).status).toBe(409);
  const changed = await owner.post(path, { name: "Head office", expires_at: null });
  expect(changed.body.tokens[1]).toMatchObject({ name: "Head office", expires_at: null });
  expect((await owner.post(`${path}/primary`)).body.tokens[0]).toMatchObject({ name: "Head office", primary: true });
  expect((await owner.post(`${path}/revoke`)).status).toBe(409);
  const revoked = await owner.post(`/credentials/tokens/${first.token_id}/revoke`);
  expect(revoked.body.tokens).toHaveLength(1);
  expect((await owner.post(`/credentials/tokens/${first.token_id}/revoke`)).status).toBe(404);
});

test("a token of another account cannot be changed, and the roles are those of rotation", async () => {
  const [mine, theirs] = [await fixture.newAccount(), await fixture.newAccount()];
  const made = await fixture.as("owner", theirs.accountId).post("/credentials/tokens", TOKEN);
  const path = `/credentials/tokens/${made.body.token_id}`;
  const owner = fixture.as("owner", mine.accountId);
  for (const change of ["", "/revoke", "/primary"]) expect((await owner.post(path + change)).status).toBe(404);
  for (const role of ["operations", "read_only"] as const) {
    const member = fixture.as(role, theirs.accountId);
    for (const change of ["", "/revoke", "/primary"]) expect((await member.post(path + change)).status).toBe(403);
    expect((await member.post("/credentials/tokens", TOKEN)).status).toBe(403);
  }
});

test.each([
  ["name", { name: " " }],
  ["name", { name: "x".repeat(61) }],
  ["name", { name: "a\nb" }],
  ["scopes", { scopes: [] }],
  ["scopes", { scopes: ["everything"] }],
  ["expires_at", { expires_at: "soon" }],
])("a token with a wrong %s is refused: %j", async (field, wrong) => {
  const { accountId } = await fixture.newAccount();
  const refused = await fixture.as("developer", accountId).post("/credentials/tokens", { ...TOKEN, ...wrong });
  expect(refused.status).toBe(400);
  expect(Object.keys(refused.body.fields).join()).toContain(field);
});
