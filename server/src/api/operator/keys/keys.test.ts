import { afterAll, beforeAll, expect, test } from "vitest";
import { STAFF_ROLES, type StaffRole } from "../../../domain/auth/user.ts";
import { parseRange } from "../../../platform/network/address.ts";
import { splitPath } from "../../sites/actions/action.ts";
import type { Action } from "../action.ts";
import { OPERATOR_ACTIONS } from "../operator-actions.ts";
import { type Call, type TestApi, testApi } from "../testing/api.ts";

let api: TestApi;
const PROXY = parseRange("127.0.0.1");
beforeAll(async () => {
  api = await testApi({ trustedProxies: PROXY ? [PROXY] : [] });
});
afterAll(() => api.close());

async function newKey(limits: object): Promise<{ readonly key_id: string; readonly api_key: string }> {
  const { status, body } = await api.post("/keys", { name: "A program", ...limits });
  expect(status).toBe(200);
  return body;
}

const listed = async (keyId: string) =>
  (await api.get("/keys?limit=200")).body.items.find((key: { readonly key_id: string }) => key.key_id === keyId);
const forwarded = (key: string, address: string): Call => ({ key, headers: { "x-forwarded-for": address } });

test("a key without limits makes every call from everywhere, as before", async () => {
  const { key_id: keyId, api_key: key } = await newKey({});
  const limits = {
    role: null,
    effective_roles: [],
    creator_disabled: false,
    expires_at: null,
    expired: false,
    source_addresses: [],
    last_used_at: null,
    last_used_from: null,
  };
  expect(await listed(keyId)).toEqual({ key_id: keyId, name: "A program", created_at: expect.any(String), ...limits });
  expect((await api.get("/keys", forwarded(key, "198.51.100.7"))).status).toBe(200);
  expect((await api.post("/keys", { name: "Another" }, { key })).status).toBe(200);
  const { items } = (await api.get(`/audit?subject_kind=operator_key&subject_id=${keyId}`)).body;
  expect(items[0].details).toEqual({ name: "A program" });
});

test("a key with a role makes exactly the calls of that role", async () => {
  const keys = new Map<string, string>();
  for (const role of STAFF_ROLES) keys.set(role, (await newKey({ role })).api_key);
  const statusOf = async (action: Action, role: StaffRole | undefined) => {
    const { method, url } = splitPath(action);
    // The wrong mode is refused right after the role, so that no handler runs.
    const path = `${url.replaceAll(/:\w+/g, "X1")}?mode=neither`;
    return (await api.send(String(method), path, undefined, { key: keys.get(role ?? "") ?? null })).status;
  };
  for (const [place, action] of OPERATOR_ACTIONS.entries()) {
    // One role of each kind for each action, in turn.
    const others = STAFF_ROLES.filter((role) => !action.roles.includes(role));
    const [one, other] = [action.roles[place % action.roles.length], others[place % others.length]];
    expect([action.path, one, await statusOf(action, one)]).toEqual([action.path, one, 400]);
    if (other) expect([action.path, other, await statusOf(action, other)]).toEqual([action.path, other, 403]);
  }
});

test("the role also decides where a call depends on more than its path", async () => {
  const { account_id: accountId } = await api.newAccount();
  const invite = (key: string, role: string) =>
    api.post(`/accounts/${accountId}/portal-invitations`, { email: `${role}@shop.example`, role }, { key });
  const { api_key: operations } = await newKey({ role: "operations" });
  expect(await invite(operations, "owner")).toMatchObject({ status: 403, body: { error: "forbidden" } });
  expect((await invite(operations, "read_only")).status).toBe(201);
  const { api_key: admin } = await newKey({ role: "admin" });
  expect((await invite(admin, "owner")).status).toBe(201);
});

test("a key works until it expires, and is refused at once afterwards", async () => {
  const now = api.settings.clock.now();
  const expiresAt = Math.floor(now / 1000) + 3600;
  const { key_id: keyId, api_key: key } = await newKey({ expires_at: expiresAt });
  expect(await listed(keyId)).toMatchObject({ expires_at: expect.any(String), expired: false });
  expect((await api.get("/accounts", { key })).status).toBe(200);
  await api.settings.database.sql`update operator_keys set expires_at = ${new Date(now)} where key_id = ${keyId}`;
  const message = expect.stringContaining("has expired");
  expect(await api.get("/accounts", { key })).toMatchObject({ status: 401, body: { error: "unauthorized", message } });
  expect(await listed(keyId)).toMatchObject({ expired: true });
});

test("a key with addresses works from these only, as trusted proxies report them", async () => {
  const { key_id: keyId, api_key: key } = await newKey({ source_addresses: ["203.0.113.77/24", "2001:db8::1"] });
  expect((await listed(keyId)).source_addresses).toEqual(["203.0.113.0/24", "2001:db8::1"]);
  for (const address of ["203.0.113.9", "2001:db8::1", "198.51.100.7, 203.0.113.9"])
    expect([address, (await api.get("/accounts", forwarded(key, address))).status]).toEqual([address, 200]);
  for (const address of ["198.51.100.7", "2001:db8::2", "203.0.113.9, 198.51.100.7"])
    expect([address, (await api.get("/accounts", forwarded(key, address))).status]).toEqual([address, 403]);
  const refused = await api.get("/accounts", forwarded(key, "198.51.100.7"));
  expect(refused.body).toEqual({ error: "forbidden", message: "This operator key may not be used from 198.51.100.7." });
});

test("a header of a peer that is no trusted proxy changes nothing", async () => {
  const direct = await testApi();
  const { api_key: key } = (await direct.post("/keys", { name: "Elsewhere", source_addresses: ["203.0.113.9"] })).body;
  expect((await direct.get("/accounts", forwarded(key, "203.0.113.9"))).status).toBe(403);
  const { api_key: here } = (await direct.post("/keys", { name: "Here", source_addresses: ["127.0.0.1"] })).body;
  expect((await direct.get("/accounts", forwarded(here, "203.0.113.9"))).status).toBe(200);
  await direct.close();
});

test("a key with any limit cannot create keys", async () => {
  for (const limits of [{ role: "admin" }, { expires_at: "2099-12-31" }, { source_addresses: ["127.0.0.1"] }]) {
    const { api_key: key } = await newKey(limits);
    expect(await api.post("/keys", { name: "Wider" }, { key })).toMatchObject({ status: 403, body: { error: "forbidden" } });
  }
});

const SIGN_ON = { name: "Ours", issuer: "https://id.example", client_id: "c", client_secret: "s", domains: ["corprail.example"] };

test("a key with an expiry or source addresses lets no staff in, by whichever call", async () => {
  const { body } = await api.post("/staff/invitations", { email: "first@corprail.example", role: "auditor" });
  const calls = [
    ["/staff/invitations", { email: "second@corprail.example", role: "admin" }],
    ["/staff/X1/role", { role: "admin" }],
    ["/staff/X1/enable", {}],
    ["/staff/X1/reset-second-factor", {}],
    ["/staff/X1/unlink-identity", {}],
    ["/staff/X1/break-glass", { break_glass: true }],
    ["/single-sign-on", SIGN_ON],
    ["/single-sign-on/stop-enforcing", {}],
    ["/single-sign-on/delete", {}],
  ] as const;
  expect(body.invitation_url).toContain("#inv_");
  for (const limits of [{ expires_at: "2099-12-31" }, { source_addresses: ["127.0.0.1"] }, { role: "admin", expires_at: "2099-12-31" }]) {
    const { api_key: key } = await newKey(limits);
    for (const [path, asked] of calls)
      expect([path, await api.post(path, asked, { key })]).toMatchObject([path, { status: 403, body: { error: "forbidden" } }]);
    expect((await api.get("/staff", { key })).body.invitations).toHaveLength(1);
    expect((await api.post("/staff/X1/disable", {}, { key })).status).toBe(404);
    expect((await api.post("/staff/X1/break-glass", { break_glass: false }, { key })).status).toBe(404);
  }
  const { api_key: admin } = await newKey({ role: "admin" });
  expect((await api.post("/staff/invitations", { email: "third@corprail.example", role: "support" }, { key: admin })).status).toBe(201);
});

test.each([
  [{ role: "root" }, "role"],
  [{ expires_at: "soon" }, "expires_at"],
  [{ expires_at: "2020-01-01" }, "expires_at"],
  [{ source_addresses: ["nowhere"] }, "source_addresses"],
  [{ source_addresses: ["203.0.113.0/33"] }, "source_addresses"],
  [{ source_addresses: Array.from({ length: 51 }, (_, place) => `203.0.113.${place}`) }, "source_addresses"],
])("limits that are wrong are refused, case %#", async (limits, field) => {
  const { status, body } = await api.post("/keys", { name: "Wrong", ...limits });
  expect([status, Object.keys(body.fields)]).toEqual([400, [field]]);
});

test("the last use is stored with its address, at most once a minute", async () => {
  const { key_id: keyId, api_key: key } = await newKey({ role: "auditor" });
  expect((await api.post("/keys", { name: "Not allowed" }, { key })).status).toBe(403);
  expect((await listed(keyId)).last_used_at).toBeNull();
  await Promise.all(["203.0.113.1", "203.0.113.1"].map((address) => api.get("/accounts", forwarded(key, address))));
  await expect.poll(() => listed(keyId)).toMatchObject({ last_used_at: expect.any(String), last_used_from: "203.0.113.1" });
  await api.get("/accounts", forwarded(key, "203.0.113.2"));
  const { sql } = api.settings.database;
  await sql`update operator_keys set last_used_at = last_used_at - interval '1 minute' where key_id = ${keyId}`;
  expect((await listed(keyId)).last_used_from).toBe("203.0.113.1");
  await api.get("/accounts", forwarded(key, "203.0.113.3"));
  await expect.poll(async () => (await listed(keyId)).last_used_from).toBe("203.0.113.3");
});

test("the audit log has the limits of a new key", async () => {
  const { key_id: keyId } = await newKey({ role: "auditor", source_addresses: ["127.0.0.1"], expires_at: "2099-12-31 18:00:00" });
  const { items } = (await api.get(`/audit?subject_kind=operator_key&subject_id=${keyId}`)).body;
  const limits = { role: "auditor", source_addresses: "127.0.0.1", expires_at: "2099-12-31 18:00:00" };
  expect(items[0]).toMatchObject({ action: "operator_key.created", details: { name: "A program", ...limits } });
});
