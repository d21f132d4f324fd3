import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOrder } from "../../../domain/complaints/testing/build-order.ts";
import type { JobKind } from "../../../domain/jobs/kind.ts";
import { createJobRunner, type JobRunner } from "../../../domain/jobs/runner.ts";
import { reverseManually } from "../../../domain/orders/change-manually.ts";
import type { OrdersContext } from "../../../domain/orders/context.ts";
import { placeOrder } from "../../../domain/orders/place-order.ts";
import { contextOf, newRequest } from "../../../domain/orders/testing/fixture.ts";
import { scripted, UNKNOWN } from "../../../domain/orders/testing/scripted-connector.ts";
import { indiaDate } from "../../../platform/core/india-time.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { manyOrders } from "../../portal/testing/orders.ts";
import { type TestApi, testApi } from "../testing/api.ts";
import { exportOrders } from "./export-orders.ts";

let api: TestApi;
let orders: OrdersContext;
beforeAll(async () => {
  api = await testApi();
  const { sql } = api.settings.database;
  orders = contextOf(sql, sql, api.settings.clock, { providers: { first: scripted({ send: UNKNOWN }) } });
});
afterAll(() => api.close());

const today = () => indiaDate(api.settings.clock.now());

async function begin(filter: object): Promise<string> {
  const { status, body, text } = await api.post("/orders/export", { from: today(), to: today(), ...filter });
  expect(status, text).toBe(200);
  expect(body.job).toMatchObject({ kind: "orders_export", state: "waiting", asked_by: "operator-key" });
  return body.job.job_id;
}

type ExportKind = JobKind<Pick<OrdersContext, "sql" | "clock">>;

function runner(kind: ExportKind = exportOrders): JobRunner {
  const { sql, clock, ids } = api.settings.ctx;
  return createJobRunner({ sql, clock, ids, log: createLog("silent") }, { owner: "staff", kinds: { orders_export: kind } });
}

async function run(): Promise<void> {
  const one = runner();
  await one.look();
  await one.idle();
}

async function linesOf(jobId: string): Promise<readonly string[]> {
  const { status, text } = await file(jobId);
  expect(status).toBe(200);
  return text.trim().split("\n");
}

async function file(jobId: string): Promise<{ status: number; text: string }> {
  const reply = await fetch(`${api.origin}/api/operator/v1/jobs/${jobId}/file`, {
    headers: { authorization: `Bearer opk_${"k".repeat(43)}` },
  });
  return { status: reply.status, text: await reply.text() };
}

async function exported(filter: object): Promise<readonly string[]> {
  const jobId = await begin(filter);
  await run();
  return (await linesOf(jobId)).slice(1).map((line) => line.split(",")[0] ?? "");
}

async function richAccount(name: string): Promise<string> {
  const { account_id: accountId } = await api.newAccount({ name });
  await api.post(`/accounts/${accountId}/wallet`, { amount: "1000.00", reference: "start" });
  return accountId;
}

test("the file has exactly the orders of its filter, of every account, oldest first", async () => {
  const [one, other] = [await richAccount("One, and only"), await richAccount("Other")];
  const good = await buildOrder(orders, one, { reference: "REF-GOOD" });
  const bad = await buildOrder(orders, other, { state: "FAILED" });
  const bill = await buildOrder(orders, one, { service: "bills" });
  const taken = await buildOrder(orders, other, {});
  await reverseManually(orders, "test", { orderId: taken, reason: "The number was wrong." });
  const placed = await placeOrder(orders, newRequest(one));
  const doubtful = placed.kind === "order" ? placed.order.orderId : "";
  // Up to the moment it is asked for; that one not included.
  api.settings.clock.advance(1_000);
  expect(await exported({})).toEqual([good, bad, bill, taken, doubtful]);
  expect(await exported({ account_id: other })).toEqual([bad, taken]);
  expect(await exported({ status: "Reversed" })).toEqual([taken]);
  expect(await exported({ status: "pending" })).toEqual([doubtful]);
  expect(await exported({ in_doubt: "true" })).toEqual([doubtful]);
  expect(await exported({ service: "bills", status: "" })).toEqual([bill]);
  expect(await exported({ provider: "first" })).toEqual([doubtful]);
  expect(await exported({ search: "REF-GOOD" })).toEqual([good]);
  expect(await exported({ min_age: "60" })).toEqual([]);
  const jobId = await begin({ search: taken });
  await run();
  const [columns, line] = await linesOf(jobId);
  expect(columns).toBe(
    "order_id,account_id,account_name,urid,service,operator,account,amount,fee,status,shown,provider,operator_ref,reason,created_at,updated_at",
  );
  expect(line).toMatch(
    new RegExp(`^${taken},${other},Other,U-${taken},recharge,AT,9876543210,10.0000,0.0000,FAILED,Reversed,simulator,OP-REF-1,The number`),
  );
  expect((await api.get(`/jobs/${jobId}`)).body).toMatchObject({ state: "done", done: 5, total: 5, result: { rows: 1 } });
});

test("a runner that dies leaves a job that the next one ends with one correct file", async () => {
  const { account_id: accountId } = await api.newAccount();
  const count = 9_000;
  await manyOrders(api.settings.database.sql, accountId, count, api.settings.clock.now() - count);
  api.settings.clock.advance(1_000);
  const jobId = await begin({ account_id: accountId });
  let die = () => {};
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  // As in a process that is killed: nothing of it is cleaned up.
  const dying: ExportKind = (ctx, job, hand) =>
    exportOrders(ctx, job, {
      ...hand,
      isDue: () => true,
      save: async (step) => {
        if (step.done <= 4_000) return await hand.save(step);
        die();
        return await new Promise<void>(() => {});
      },
    });
  await runner(dying).look();
  await died;
  expect((await api.get(`/jobs/${jobId}`)).body).toMatchObject({ state: "running", done: 4_000, total: count });
  api.settings.clock.advance(31_000);
  await run();
  const lines = await linesOf(jobId);
  expect(lines).toHaveLength(count + 1);
  expect(new Set(lines).size).toBe(count + 1);
});

test.each([
  [{ from: "2025-01-01", to: "2026-12-31" }, "from"],
  [{ from: "2026-02-02", to: "2026-02-01" }, "from"],
  [{ from: undefined }, "from"],
  [{ status: "x" }, "status"],
  [{ colour: "red" }, "colour"],
])("an export refuses %j", async (filter, field) => {
  const answer = await api.post("/orders/export", { from: today(), to: today(), ...filter });
  expect(answer).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
});
