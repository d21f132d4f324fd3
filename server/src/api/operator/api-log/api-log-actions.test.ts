import { afterAll, beforeAll, expect, test } from "vitest";
import { createCallLog } from "../../../domain/api-log/call-log.ts";
import { aCall } from "../../../domain/api-log/testing/calls.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { type TestApi, testApi } from "../testing/api.ts";

let api: TestApi;
let accounts: readonly string[];
const minute = 60_000;
let now = 0;

beforeAll(async () => {
  api = await testApi();
  accounts = [(await api.newAccount()).account_id, (await api.newAccount({ sandbox: true })).account_id];
  now = api.settings.clock.now();
  const log = createCallLog({ sql: api.settings.database.sql, log: { warn: () => {} } });
  const [live = "", sandbox = ""] = accounts;
  log.record(aCall({ accountId: live, at: now }));
  log.record(aCall({ accountId: sandbox, at: now - 5 * minute, status: 404, error: "not_found", code: 125 }));
  // The log has rows of many hours ago, which are found in a longer window.
  const bodies = {
    request: '{"urid":"U-7\\t","otp":"482913"}',
    isQuery: false,
    isRequestCut: false,
    hasBankAccounts: false,
    reply: { code: 331, message: "a\nb" },
  };
  const refused = { status: 403, error: "service_not_enabled", code: 331, path: "/api/corp/v1/bills/fetch", method: "POST" };
  log.record(aCall({ accountId: live, at: now - 30 * 60 * minute, requestId: "A".repeat(20), bodies, ...refused }));
  log.record(aCall({ accountId: live, at: now - 30 * 60 * minute, requestId: "B".repeat(20) }));
  await log.close();
});
afterAll(() => api.close());

async function find(query = ""): Promise<readonly Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let next: string | null = null;
  do {
    const page = await api.get(`/api-calls?limit=1${query}${next === null ? "" : `&after=${next}`}`);
    expect(page.status).toBe(200);
    found.push(...page.body.items);
    next = page.body.next;
  } while (next !== null);
  return found;
}

test("staff see the requests of all accounts, newest first, each once", async () => {
  const found = await find();
  const [live, sandbox] = accounts;
  expect(found.map((call) => call["account_id"])).toEqual([live, sandbox, live, live]);
  expect(found.slice(2).map((call) => String(call["request_id"])[0])).toEqual(["B", "A"]);
});

test("account, code, status, path, request id, mode and time limit the list", async () => {
  const [live = "", sandbox = ""] = accounts;
  const counts = async (query: string) => (await find(query)).length;
  expect(await counts(`&account_id=${sandbox}`)).toBe(1);
  expect(await counts(`&account_id=${live}&code=331`)).toBe(1);
  expect(await counts("&status=4xx")).toBe(2);
  expect(await counts("&status=404")).toBe(1);
  expect(await counts("&error=not_found")).toBe(1);
  expect(await counts("&path=/api/corp/v1/bills/fetch")).toBe(1);
  expect(await counts(`&request_id=${"A".repeat(20)}`)).toBe(1);
  expect([await counts("&mode=live"), await counts("&mode=test")]).toEqual([3, 1]);
  const since = encodeURIComponent(indiaDateTime(now - 10 * minute));
  const until = encodeURIComponent(indiaDateTime(now - 2 * minute));
  expect([await counts(`&since=${since}`), await counts(`&until=${until}`), await counts(`&since=${since}&until=${until}`)]).toEqual([
    2, 3, 1,
  ]);
  for (const wrong of ["status=9", "code=x", "request_id=a", "since=soon", "path=%00"])
    expect((await api.get(`/api-calls?${wrong}`)).status).toBe(400);
});

test("a request is shown with its masked bodies; of an account that keeps none, without", async () => {
  const [live = ""] = accounts;
  const [refused] = await find(`&request_id=${"A".repeat(20)}`);
  const shown = await api.get(`/accounts/${live}/api-calls/${refused?.["call_id"]}`);
  expect(shown.body).toMatchObject({
    request_body: '{"urid":"U-7\\t","otp":"[hidden]"}',
    reply_body: '{"code":331,"message":"a\\nb"}',
    token_id: "T1",
    signature: null,
  });
  const [plain] = await find(`&request_id=${"B".repeat(20)}`);
  expect((await api.get(`/accounts/${live}/api-calls/${plain?.["call_id"]}`)).body).toMatchObject({ request_body: null, reply_body: null });
  expect((await api.get(`/accounts/${accounts[1]}/api-calls/${refused?.["call_id"]}`)).status).toBe(404);
});
