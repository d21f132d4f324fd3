import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { route } from "../../domain/client-api/route.ts";
import { type Dispatched, dispatch } from "./dispatch.ts";
import { createCongestion } from "./gate/congestion.ts";
import { accountWith, tokenOf } from "./gate/testing/account.ts";
import type { Reply } from "./replies.ts";
import { replyInTime } from "./reply-in-time.ts";
import { routeTable } from "./route-table.ts";
import { allow } from "./testing/gate-fixture.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const DONE: Reply = { status: 200, body: { status: "SUCCESS" } };
const BUSY: Reply = { status: 503, body: { status: "rejected", error: "busy" } };

/** A request that its handler has not answered. */
function waiting({ waited = 0 } = {}) {
  const handler = { resolve: (_: Reply) => {}, reject: (_: Error) => {} };
  const promise = new Promise<Reply>((resolve, reject) => Object.assign(handler, { resolve, reject }));
  const database = { isAway: false };
  const sent: Reply[] = [];
  const isDatabaseAway = () => database.isAway;
  const reply = replyInTime(promise, { arrivedAt: performance.now() - waited, isDatabaseAway, createBusy: () => BUSY });
  reply.then((one) => sent.push(one)).catch(() => {});
  return { handler, database, sent, reply };
}

test("a request whose database stops while it is under way is answered as busy within ten seconds", async () => {
  const { database, sent } = waiting();
  await vi.advanceTimersByTimeAsync(500);
  database.isAway = true;
  await vi.advanceTimersByTimeAsync(8_000);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([BUSY]);
});

test("the time at the gate counts", async () => {
  const { database, sent } = waiting({ waited: 6_000 });
  database.isAway = true;
  await vi.advanceTimersByTimeAsync(3_500);
  expect(sent).toEqual([BUSY]);
});

test("a slow provider has more time while the database works, and a database that stops later is noticed", async () => {
  const { database, sent } = waiting();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(sent).toEqual([]);
  database.isAway = true;
  await vi.advanceTimersByTimeAsync(250);
  expect(sent).toEqual([BUSY]);
});

test("a reply that comes too late counts as not answered", async () => {
  const { database, handler, sent } = waiting();
  database.isAway = true;
  await vi.advanceTimersByTimeAsync(10_000);
  const onSent = vi.fn();
  handler.resolve({ ...DONE, onSent });
  await vi.advanceTimersByTimeAsync(0);
  expect([sent, onSent.mock.calls]).toEqual([[BUSY], [[false]]]);
});

test("a reply in time is passed on, an error too, and no timer remains", async () => {
  const [answered, failed] = [waiting(), waiting()];
  answered.handler.resolve(DONE);
  failed.handler.reject(new Error("no"));
  expect(await answered.reply).toBe(DONE);
  await expect(failed.reply).rejects.toThrow("no");
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});

/** Sends a transaction that its handler never answers, for an account whose database is unavailable after the gate. */
function sendUnanswered(): Promise<Dispatched | null> {
  const account = accountWith({ accountId: "A1", allowlist: allow("127.0.0.1") });
  const definition = route({
    ...{ method: "POST", path: "/pay", service: "recharge", kind: "transaction", summary: "" },
    input: z.object({ urid: z.string() }),
    reply: z.object({}),
    handle: () => new Promise(() => {}),
  });
  const gate = {
    clock: { now: () => Date.now() },
    findToken: () => tokenOf(account, undefined),
    accountById: () => account,
    ensureFresh: () => undefined,
    admission: {
      admit: async () => ({ kind: "admitted" }) as const,
      isOver: () => false,
      ahead: () => 0,
      waitSeconds: () => 0,
      stalledMilliseconds: () => 0,
    },
    congestion: createCongestion(),
    trustedProxies: [],
    isAccountAway: (accountId: string) => accountId === "A1",
  };
  const rawHeaders = ["Host", "a", "X-Api-Token", "t", "Content-Type", "application/json", "Content-Length", "13"];
  const request = {
    ...{ method: "POST", target: "/api/corp/v1/pay", rawHeaders, arrivedAt: performance.now() },
    socket: { remoteAddress: "127.0.0.1" } as Socket,
    read: () => ({ kind: "whole" as const, bytes: Buffer.from(JSON.stringify({ urid: "U1" })) }),
  };
  return dispatch({ table: routeTable([definition]), gate }, request, "R1", { read: 0, gate: 0, work: 0 });
}

test("every request of the client API has this limit, and its reply says that the outcome is unknown", async () => {
  const replies: unknown[] = [];
  void sendUnanswered().then((dispatched) => replies.push(dispatched?.reply));
  await vi.advanceTimersByTimeAsync(9_500);
  const message = expect.stringContaining("Ask for the outcome by the reference");
  const body = { status: "rejected", error: "busy", code: 140, message, urid: "U1" };
  expect(replies).toEqual([{ status: 503, headers: { "Retry-After": "2" }, body }]);
});
