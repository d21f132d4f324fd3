import { afterAll, beforeAll, expect, test } from "vitest";
import { createBrowser, PASSWORD } from "../../portal/testing/browser.ts";
import { type ConsoleFixture, createConsoleFixture } from "../console/testing/fixture.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await createConsoleFixture();
});
afterAll(() => fixture.close());

const idOf = (path: string, userId: string) => `/staff/${userId}${path}`;

test("with an operator key the first admin is invited, who then sees the staff", async () => {
  const made = await fixture.post("/staff/invitations", { email: "first@corprail.example", role: "admin" });
  expect(made).toMatchObject({ status: 201, body: { invitation_url: expect.stringMatching(/\/console\/invite#inv_[\w-]{43}$/) } });
  const { browser, userId } = await fixture.newStaff("admin");
  const { body } = await browser.get("/staff");
  expect(body.items).toContainEqual(expect.objectContaining({ user_id: userId, role: "admin", status: "active", second_factor: true }));
  expect(body.invitations).toContainEqual(expect.objectContaining({ email: "first@corprail.example", role: "admin" }));
  const { invitation_id: invitationId } = body.invitations[0];
  expect((await browser.post(`/staff/invitations/${invitationId}/revoke`)).body.invitations).toEqual([]);
  expect((await browser.post(`/staff/invitations/${invitationId}/revoke`)).status).toBe(404);
});

test("roles and email addresses that are none are refused by their field", async () => {
  for (const [body, field] of [
    [{ email: "x@corprail.example", role: "owner" }, "role"],
    [{ email: "no address", role: "admin" }, "email"],
    [{ email: "x@corprail.example" }, "role"],
  ] as const)
    expect((await fixture.post("/staff/invitations", body)).body.fields).toHaveProperty(field);
});

test("a change of role holds at the next request, and who is locked out is out everywhere", async () => {
  const [admin, other] = [await fixture.newStaff("admin"), await fixture.newStaff("admin")];
  expect((await other.browser.get("/keys")).status).toBe(200);
  expect((await admin.browser.post(idOf("/role", other.userId), { role: "support" })).status).toBe(200);
  expect((await other.browser.get("/keys")).status).toBe(403);
  await admin.browser.post(idOf("/disable", other.userId));
  expect((await other.browser.get("/accounts")).status).toBe(401);
  expect((await createBrowser(fixture).post("/sign-in", { email: other.email, password: PASSWORD })).status).toBe(401);
  await admin.browser.post(idOf("/enable", other.userId));
  expect((await createBrowser(fixture).post("/sign-in", { email: other.email, password: PASSWORD })).body.stage).toBe("half");
});

test("somebody who has lost their second factor sets up another one", async () => {
  const [admin, other] = [await fixture.newStaff("admin"), await fixture.newStaff("finance")];
  await admin.browser.post(idOf("/reset-second-factor", other.userId));
  expect((await other.browser.get("/session")).body).toEqual({ signed_in: false, mode: "trial", mail: true });
  expect((await createBrowser(fixture).post("/sign-in", { email: other.email, password: PASSWORD })).body.stage).toBe("enrol");
});

test("one admin stays, however many are taken away at once", async () => {
  const { sql } = fixture.deps;
  const admins = [await fixture.newStaff("admin"), await fixture.newStaff("admin"), await fixture.newStaff("admin")];
  const ids = admins.map(({ userId }) => userId);
  await sql`update users set disabled_at = now() where realm = 'console' and role = 'admin' and user_id <> all(${ids})`;
  await Promise.all(
    [...ids, ...ids].map((userId, place) =>
      fixture.post(idOf(place % 2 ? "/disable" : "/role", userId), place % 2 ? {} : { role: "auditor" }),
    ),
  );
  const [left] = await sql<{ count: number }[]>`
    select count(*)::int as count from users where realm = 'console' and role = 'admin' and disabled_at is null`;
  expect(left?.count).toBe(1);
});

test("the audit log names who of the staff did what, and its chain holds", async () => {
  const admin = await fixture.newStaff("admin");
  const { account_id: accountId } = await fixture.newAccount();
  await admin.browser.post(`/accounts/${accountId}`, { daily_limit: "500.00", reason: "As agreed" });
  const actor = `staff:${admin.userId}`;
  const { items } = (await admin.browser.get(`/audit?actor=${actor}&action=account.`)).body;
  expect(items).toEqual([expect.objectContaining({ actor, subject_id: accountId })]);
  expect((await admin.browser.post("/audit/verify")).body).toMatchObject({ ok: true, broken_at: null });
});

test("a key belongs to the person who created it", async () => {
  const admin = await fixture.newStaff("admin");
  const { key_id: keyId, api_key: key } = (await admin.browser.post("/keys", { name: "Nightly" })).body;
  const [row] = await fixture.deps.sql`select created_by from operator_keys where key_id = ${keyId}`;
  expect(row).toMatchObject({ created_by: `staff:${admin.userId}` });
  const second = await fixture.post("/keys", { name: "Of the key's" }, { key });
  const [below] = await fixture.deps.sql`select created_by from operator_keys where key_id = ${second.body.key_id}`;
  expect(below).toMatchObject({ created_by: `staff:${admin.userId}` });
});

test("the keys of a disabled person do not work until the person is enabled again", async () => {
  const [admin, other] = [await fixture.newStaff("admin"), await fixture.newStaff("admin")];
  const { api_key: key } = (await other.browser.post("/keys", { name: "Nightly" })).body;
  const status = async () => (await fixture.get("/accounts", { key })).status;
  expect(await status()).toBe(200);
  await admin.browser.post(idOf("/disable", other.userId));
  expect(await status()).toBe(401);
  await admin.browser.post(idOf("/enable", other.userId));
  expect(await status()).toBe(200);
});

test("a key never does more than the current role of the person who created it allows", async () => {
  const [admin, other] = [await fixture.newStaff("admin"), await fixture.newStaff("admin")];
  const newKey = async (limits: object) => (await other.browser.post("/keys", { name: "Nightly", ...limits })).body;
  const [every, asAdmin, asSupport] = [await newKey({}), await newKey({ role: "admin" }), await newKey({ role: "support" })];
  const give = (role: string) => admin.browser.post(idOf("/role", other.userId), { role });
  const statusOf = async (method: string, path: string, { api_key: key }: { readonly api_key: string }) =>
    (await fixture.send(method, path, method === "GET" ? undefined : {}, { key })).status;
  const listed = async ({ key_id: keyId }: { readonly key_id: string }) =>
    (await admin.browser.get("/keys?limit=200")).body.items.find((one: { readonly key_id: string }) => one.key_id === keyId);
  expect(await statusOf("GET", "/keys", every)).toBe(200);
  expect(await listed(every)).toMatchObject({ role: null, effective_roles: [], creator_disabled: false });

  await give("finance");
  for (const key of [every, asAdmin]) {
    expect(await statusOf("GET", "/keys", key)).toBe(403);
    expect(await statusOf("POST", "/staff/invitations", key)).toBe(403);
    expect(await statusOf("GET", "/accounts", key)).toBe(200);
    expect(await listed(key)).toMatchObject({ effective_roles: ["finance"] });
  }
  const refused = await fixture.get("/keys", { key: every.api_key });
  expect(refused.body.message).toContain("The person who created this operator key has the role finance");
  // Support resends callbacks, finance changes wallets: a key of both roles may do neither.
  expect(await listed(asSupport)).toMatchObject({ role: "support", effective_roles: ["support", "finance"] });
  expect(await statusOf("POST", "/callbacks/X1/resend", asSupport)).toBe(403);
  expect(await statusOf("POST", "/accounts/X1/wallet", asSupport)).toBe(403);
  expect(await statusOf("GET", "/accounts", asSupport)).toBe(200);

  await give("admin");
  expect(await statusOf("GET", "/keys", every)).toBe(200);
  await admin.browser.post(idOf("/disable", other.userId));
  expect(await listed(every)).toMatchObject({ creator_disabled: true });
});

test("the key of a person who was removed does not work; a key that no member of staff created does", async () => {
  const { key_id: keyId, api_key: key } = (await fixture.post("/keys", { name: "Nightly" })).body;
  const createdBy = async (person: string | null) => {
    await fixture.deps.sql`update operator_keys set created_by = ${person} where key_id = ${keyId}`;
    return (await fixture.get("/keys", { key })).status;
  };
  expect(await createdBy("staff:GONE")).toBe(401);
  for (const person of [null, "first-run", "operator-key"]) expect([person, await createdBy(person)]).toEqual([person, 200]);
});
