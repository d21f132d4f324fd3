import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Call } from "../../../domain/api-log/call.ts";
import { createCallLog } from "../../../domain/api-log/call-log.ts";
import { aCall } from "../../../domain/api-log/testing/calls.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { WAIT_MILLISECONDS } from "../../../testing/deadline.ts";
import { createPortalFixture, type PortalFixture, type Visitor } from "../testing/fixture.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
});
afterAll(() => fixture.close());

async function record(...calls: readonly Call[]): Promise<void> {
  const log = createCallLog({ sql: fixture.ctx.sql, log: { warn: () => {} } });
  for (const call of calls) log.record(call);
  await log.close();
}

const SHA = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const LINES = {
  method: "GET",
  path: "/api/corp/v1/balance",
  canonicalQuery: "",
  bodySha256: SHA,
  timestamp: "1800000000",
  nonce: "n1",
  reason: "The signature does not match the request. Sign the exact bytes sent, with the whole signing secret.",
};
const refusedCall = (accountId: string) => aCall({ accountId, status: 401, error: "invalid_signature", code: 113, lines: LINES });

test("a call is listed with all that is known of it, and found by each filter, also an empty one", async () => {
  const { accountId } = await fixture.newAccount();
  const reader = fixture.as("read_only", accountId);
  const at = fixture.ctx.clock.now();
  const call = aCall({
    accountId,
    at,
    method: "POST",
    path: "/api/corp/v1/recharge",
    code: 0,
    reference: "u-1",
    orderId: "O1",
    signedBy: { how: "token" },
  });
  await record(call, aCall({ accountId, at: at - 5_000, status: 404, error: "not_found" }));
  const { body } = await reader.get("/logs");
  expect(body.items[0]).toEqual({
    call_id: `${at}-${call.requestId}`,
    at: indiaDateTime(at),
    method: "POST",
    path: "/api/corp/v1/recharge",
    status: 200,
    error: null,
    code: 0,
    milliseconds: 1.25,
    address: "10.0.0.1",
    urid: "u-1",
    order_id: "O1",
    signed: "token",
    credential_id: null,
    request_id: call.requestId,
    token_id: "T1",
    times: 1,
  });
  const count = async (query: string) => (await reader.get(`/logs?${query}`)).body.items.length;
  expect(await count("method=POST&path=&status=&error=&urid=&since=&until=")).toBe(1);
  expect(await count("status=4xx")).toBe(1);
  expect(await count("status=404&error=not_found")).toBe(1);
  expect(await count("urid=u-1")).toBe(1);
  expect(await count(`since=${encodeURIComponent(indiaDateTime(at - 2_000))}`)).toBe(1);
  expect(await count(`until=${Math.floor((at - 2_000) / 1000)}`)).toBe(1);
  const page = await reader.get("/logs?limit=1");
  expect((await reader.get(`/logs?limit=1&after=${page.body.next}`)).body.items[0].error).toBe("not_found");
  for (const wrong of ["status=abc", "since=yesterday", "limit=0", "after=x", "error=%3Cscript%3E"])
    expect((await reader.get(`/logs?${wrong}`)).status).toBe(400);
});

test("another account's calls, groups and signatures are not there", async () => {
  const [{ accountId }, other] = [await fixture.newAccount(), await fixture.newAccount()];
  const theirs = refusedCall(other.accountId);
  await record(theirs);
  const owner = fixture.as("owner", accountId);
  const callId = `${theirs.at}-${theirs.requestId}`;
  expect((await owner.get("/logs")).body.items).toEqual([]);
  expect((await owner.get("/logs/groups")).body.items).toEqual([]);
  expect((await owner.get(`/logs/${callId}`)).status).toBe(404);
  expect((await owner.post("/signature-debugger", { call_id: callId, pasted: "x" })).status).toBe(404);
  expect((await fixture.as("owner", other.accountId).get(`/logs/${callId}`)).status).toBe(200);
});

test("what a caller wrote comes back as data, never as markup", async () => {
  const { accountId } = await fixture.newAccount();
  const script = "/<script>alert(1)</script>";
  await record(aCall({ accountId, path: script, isFault: true, status: 404, error: "not_found" }));
  const { body, headers } = await fixture.as("owner", accountId).get("/logs");
  expect(body.items[0].path).toBe(script);
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test("refusals are grouped, with a call to look at", async () => {
  const { accountId } = await fixture.newAccount();
  const last = refusedCall(accountId);
  await record(refusedCall(accountId), { ...last, at: last.at + 1_000 }, aCall({ accountId }));
  const { body } = await fixture.as("owner", accountId).get("/logs/groups?hours=1");
  expect(body.items).toEqual([
    {
      error: "invalid_signature",
      path: "/api/corp/v1/balance",
      count: 2,
      last_at: indiaDateTime(last.at + 1_000),
      example: `${last.at + 1_000}-${last.requestId}`,
    },
  ]);
  expect((await fixture.as("owner", accountId).get("/logs/groups?hours=1000")).status).toBe(400);
});

test("a refused signature shows what the service computed, and the debugger which line differs", async () => {
  const { accountId } = await fixture.newAccount();
  const reader = fixture.as("read_only", accountId);
  const call = refusedCall(accountId);
  await record(call, aCall({ accountId, at: call.at + 1 }));
  const callId = `${call.at}-${call.requestId}`;
  expect((await reader.get(`/logs/${callId}`)).body.signature).toEqual({
    method: "GET",
    path: "/api/corp/v1/balance",
    canonical_query: "",
    body_sha256: SHA,
    timestamp: "1800000000",
    nonce: "n1",
    reason: LINES.reason,
  });
  const pasted = ["GET", "/balance", "", SHA, "1800000000", "n1"].join("\n");
  const { body } = await reader.post("/signature-debugger", { call_id: callId, pasted });
  expect(body.lines.filter((line: { same: boolean }) => !line.same)).toEqual([
    { name: "path", expected: "/api/corp/v1/balance", given: "/balance", same: false, hint: expect.stringContaining("prefix") },
  ]);
  expect(body.verdict).toMatch(/the path/);
  const [ordinary] = (await reader.get("/logs")).body.items;
  expect((await reader.get(`/logs/${ordinary.call_id}`)).body.signature).toBeNull();
  expect((await reader.post("/signature-debugger", { call_id: ordinary.call_id, pasted })).status).toBe(404);
  expect((await reader.get("/logs/nonsense")).status).toBe(400);
});

/** Watches until it is stopped; received events are in `seen`. */
async function watch(visitor: Visitor, headers: Record<string, string>) {
  const stop = new AbortController();
  const reply = await fetch(`${fixture.base}/portal/api/logs/live`, { headers, signal: stop.signal });
  const seen: { urid: string | null }[] = [];
  const ended = (async () => {
    let text = "";
    for await (const chunk of reply.body ?? []) {
      text += Buffer.from(chunk).toString();
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) if (event.startsWith("data: ")) seen.push(JSON.parse(event.slice(6)));
    }
  })().catch(() => {});
  const leave = async () => {
    stop.abort();
    await ended;
  };
  return { visitor, reply, seen, leave };
}

test("a live view gets calls as they come; too many at once are refused until one has left", async () => {
  const { accountId } = await fixture.newAccount();
  const visitor = fixture.as("read_only", accountId);
  const cookie = visitor.headers.cookie;
  const views = await Promise.all(Array.from({ length: 10 }, () => watch(visitor, { cookie })));
  expect(views.map((view) => view.reply.status)).toEqual(views.map(() => 200));
  expect(views[0]?.reply.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect((await visitor.get("/logs/live")).status).toBe(429);
  await record(aCall({ accountId, at: fixture.ctx.clock.now(), reference: "live" }));
  await vi.waitUntil(() => views.every((view) => view.seen.length === 1), WAIT_MILLISECONDS);
  expect(views.map((view) => view.seen[0]?.urid)).toEqual(views.map(() => "live"));
  for (const view of views) await view.leave();
  await vi.waitUntil(async () => {
    const again = await watch(visitor, { cookie });
    await again.leave();
    return again.reply.status === 200;
  }, WAIT_MILLISECONDS);
});
