import { afterAll, beforeAll, expect, test } from "vitest";
import { ENVIRONMENT_KEY, type TestApi, testApi } from "./testing/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

const ROUTES: readonly (readonly [method: string, path: string])[] = [
  ["POST", "/accounts"],
  ["GET", "/accounts"],
  ["GET", "/accounts/A1"],
  ["POST", "/accounts/A1"],
  ["POST", "/accounts/A1/services"],
  ["POST", "/accounts/A1/allowlist"],
  ["POST", "/accounts/A1/token"],
  ["POST", "/accounts/A1/signing-secret"],
  ["POST", "/accounts/A1/signing-secret/revoke-old"],
  ["POST", "/accounts/A1/callback-secret"],
  ["POST", "/operators/AT"],
  ["POST", "/services/recharge"],
  ["GET", "/keys"],
  ["POST", "/keys"],
  ["POST", "/keys/K1/delete"],
  ["GET", "/audit"],
  ["GET", "/nothing/here"],
  ["POST", "/nothing"],
  ["PUT", "/accounts"],
  ["DELETE", "/accounts/A1"],
];

const WRONG_KEYS: readonly (readonly [what: string, headers: Record<string, string>])[] = [
  ["no key", {}],
  ["an unknown key", { authorization: `Bearer opk_${"x".repeat(43)}` }],
  ["a prefix of the key", { authorization: `Bearer ${ENVIRONMENT_KEY.slice(0, -1)}` }],
  ["the key and more", { authorization: `Bearer ${ENVIRONMENT_KEY}k` }],
  ["another scheme", { authorization: `Basic ${ENVIRONMENT_KEY}` }],
  ["two spaces", { authorization: `Bearer  ${ENVIRONMENT_KEY}` }],
  ["the key alone", { authorization: ENVIRONMENT_KEY }],
  ["a client's header", { "x-api-token": ENVIRONMENT_KEY }],
];

test.each(ROUTES)("%s %s is refused without a valid key, before anything else is read", async (method, path) => {
  for (const [what, headers] of WRONG_KEYS) {
    const raw = method === "GET" ? {} : { raw: "{not json" };
    const answer = await api.send(method, path, undefined, { key: null, headers, ...raw });
    expect([what, answer.status, answer.body]).toEqual([what, 401, { error: "unauthorized", message: expect.any(String) }]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9A-Z]{20}$/);
  }
});

test("the scheme's spelling does not matter", async () => {
  expect((await api.get("/keys", { key: null, headers: { authorization: `bEARER ${ENVIRONMENT_KEY}` } })).status).toBe(200);
});

test("without a key in the environment no environment key is accepted", async () => {
  const bare = await testApi({ environmentKey: null });
  expect((await bare.get("/keys")).status).toBe(401);
  await bare.close();
});

test("a created key works until it is deleted, and the audit log names it", async () => {
  const made = await api.post("/keys", { name: "Nightly job", reason: "automation" });
  expect(made).toMatchObject({
    status: 200,
    body: { key_id: expect.stringMatching(/^K/), api_key: expect.stringMatching(/^opk_[A-Za-z0-9_-]{43}$/) },
  });
  const { key_id: id, api_key: key } = made.body;
  expect((await api.post("/operators/JO", { enabled: false }, { key })).status).toBe(200);
  expect((await api.get("/audit?limit=1")).body.items[0]).toMatchObject({ actor: `key:${id}`, subject_kind: "operator", subject_id: "JO" });
  const listed = await api.get("/keys");
  expect(listed.body.items[0]).toMatchObject({ key_id: id, name: "Nightly job", created_at: expect.any(String) });
  expect(listed.text).not.toContain(key.slice(4));
  expect(await api.post(`/keys/${id}/delete`)).toMatchObject({ status: 200, body: { key_id: id, name: "Nightly job" } });
  expect((await api.get("/keys", { key })).status).toBe(401);
  expect((await api.post(`/keys/${id}/delete`)).status).toBe(404);
  for (const body of [{}, { name: "" }, { name: 1 }, { name: "x", scope: "all" }]) expect((await api.post("/keys", body)).status).toBe(400);
});

test("an operator is switched for the installation", async () => {
  const switched = await api.post("/operators/MT", { enabled: false });
  expect(switched).toMatchObject({
    status: 200,
    body: { operator: "MT", name: "MTNL", enabled: false, min_amount: "10.0000", account_pattern: "^[6-9][0-9]{9}$" },
  });
  expect(api.catalogue.operator("MT")?.enabled).toBe(false);
  expect((await api.post("/operators/MT", { enabled: true })).body.enabled).toBe(true);
  for (const code of ["ZZ", "MTNL", "mt", "%00"]) expect((await api.post(`/operators/${code}`, { enabled: false })).status).toBe(404);
  for (const body of [{}, { enabled: "no" }, { enabled: null }, { enabled: true, name: "x" }])
    expect((await api.post("/operators/MT", body)).status).toBe(400);
});

test("a service is switched for the installation, with its hours", async () => {
  const switched = await api.post("/services/recharge", { enabled: false, opens_at: "23:00", closes_at: "05:30" });
  expect(switched.body).toEqual({
    service: "recharge",
    name: "Recharge",
    signing: "optional",
    enabled: false,
    opens_at: "23:00",
    closes_at: "05:30",
    state: "off",
  });
  expect(api.catalogue.service("recharge").enabled).toBe(false);
  const back = await api.post("/services/recharge", { enabled: true, opens_at: null, closes_at: null });
  expect(back.body).toMatchObject({ enabled: true, opens_at: null, closes_at: null });
  expect((await api.post("/services/teleport", { enabled: false })).status).toBe(404);
  for (const body of [{ opens_at: "24:00" }, { opens_at: "9:00" }, { closes_at: 9 }, { enabled: 1 }, { name: "x" }]) {
    expect((await api.post("/services/recharge", body)).status).toBe(400);
  }
});

const JSON_HEADER = { "content-type": "application/json" };

test.each<[string, string | Uint8Array, Record<string, string>, number, string]>([
  ["no JSON", "{", JSON_HEADER, 400, "invalid_request"],
  ["a list", "[]", JSON_HEADER, 400, "invalid_request"],
  ["a text", '"x"', JSON_HEADER, 400, "invalid_request"],
  ["null", "null", JSON_HEADER, 400, "invalid_request"],
  ["a key twice", '{"name":"a","name":"b"}', JSON_HEADER, 400, "invalid_request"],
  ["a NUL", '{"name":"a\\u0000"}', JSON_HEADER, 400, "invalid_request"],
  ["half a surrogate pair", '{"name":"\\ud800"}', JSON_HEADER, 400, "invalid_request"],
  ["a prototype", '{"name":"a","__proto__":{"sandbox":true}}', JSON_HEADER, 400, "invalid_request"],
  ["invalid UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), JSON_HEADER, 400, "invalid_request"],
  ["deep nesting", `{"name":${"[".repeat(40)}${"]".repeat(40)}}`, JSON_HEADER, 400, "invalid_request"],
  ["more than 64 KiB", JSON.stringify({ name: "x".repeat(65_536) }), JSON_HEADER, 413, "body_too_large"],
  ["plain text", '{"name":"a"}', { "content-type": "text/plain" }, 415, "unsupported_media_type"],
  ["a form", "name=a", { "content-type": "application/x-www-form-urlencoded" }, 415, "unsupported_media_type"],
  ["another charset", '{"name":"a"}', { "content-type": "application/json; charset=utf-16" }, 415, "unsupported_media_type"],
  ["compression", '{"name":"a"}', { ...JSON_HEADER, "content-encoding": "gzip" }, 415, "unsupported_media_type"],
])("a body with %s is refused in the documented format", async (_, raw, headers, status, error) => {
  const answer = await api.post("/accounts", undefined, { raw, headers });
  expect([answer.status, answer.body.error, typeof answer.body.message]).toEqual([status, error, "string"]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("x-request-id")).toBeTruthy();
});

test("an empty body counts as an empty object", async () => {
  const { account_id: id } = await api.newAccount();
  expect((await api.post(`/accounts/${id}`, undefined, { raw: "", headers: JSON_HEADER })).status).toBe(200);
  expect((await api.post(`/accounts/${id}`)).status).toBe(200);
  expect((await api.post("/accounts")).status).toBe(400);
  expect((await api.post(`/accounts/${id}`, {}, { headers: { "content-type": "application/json; charset=UTF-8" } })).status).toBe(200);
});

test.each([
  ["GET", "/nothing"],
  ["POST", "/nothing"],
  ["GET", "/"],
])("%s %s is not found, in the documented format", async (method, path) => {
  expect(await api.send(method, path, undefined)).toMatchObject({ status: 404, body: { error: "not_found", message: expect.any(String) } });
});

test.each([
  ["PUT", "/accounts", "GET, POST"],
  ["DELETE", "/keys", "GET, POST"],
  ["GET", "/accounts/A1/token", "POST"],
  ["OPTIONS", "/accounts", "GET, POST"],
  ["GET", "/callbacks/recover", "POST"],
])("%s %s is a wrong method on a known path", async (method, path, allowed) => {
  const { status, body, headers } = await api.send(method, path, undefined);
  expect([status, body]).toEqual([405, { error: "method_not_allowed", message: expect.any(String) }]);
  expect(headers.get("allow")).toBe(allowed);
});

test("internal errors are not revealed", async () => {
  const broken = await testApi({ checkCallbackUrl: () => Promise.reject(new Error("the inside of it")) });
  const { account_id: id } = await broken.newAccount();
  const answer = await broken.post(`/accounts/${id}`, { callback_url: "https://example.com/" });
  expect([answer.status, answer.body]).toEqual([500, { error: "internal_error", message: expect.any(String) }]);
  expect(answer.text).not.toContain("inside of it");
  expect(broken.logged).toMatchObject([{ requestId: answer.headers.get("x-request-id") }]);
  await broken.close();
});

test("a field with several forms says which ones it takes, also when it is missing", async () => {
  const recovered = await api.post("/callbacks/recover", {});
  expect(recovered).toMatchObject({ status: 400, body: { fields: { since: expect.stringContaining("Must be a time YYYY-MM-DD") } } });
  const sorted = await api.get("/complaints?sort=due_by");
  expect(sorted).toMatchObject({ status: 400, body: { fields: { sort: expect.stringContaining("expected one of") } } });
});
