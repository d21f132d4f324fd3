import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MoveContext, moveAccount, type Step } from "../server/src/domain/cells/move/move-account.ts";
import { randomIds } from "../server/src/platform/core/ids.ts";
import { connect } from "../server/src/platform/db/connection.ts";
import { migratedDatabase } from "../server/src/testing/database.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, type JsonRecord, newClient, operator } from "./harness/operator.ts";
import { type Service, startService } from "./harness/service.ts";

const closers: (() => unknown)[] = [];
let service: Service;
let client: Client;
let cells: MoveContext["cells"];

beforeAll(async () => {
  const databases = [await migratedDatabase(), await migratedDatabase()];
  closers.push(...databases.map(({ drop }) => drop));
  service = await startService({ CORPRAIL_DATABASE_URL: `${databases[0]?.url}`, CORPRAIL_CELLS: `1=${databases[1]?.url}` });
  closers.push(() => rm(service.dataFolder, { recursive: true, force: true }));
  closers.push(() => service.stop());
  const connected = databases.map(({ url }) => connect({ url, connections: 4, role: null }));
  closers.push(...connected.map(({ close }) => close));
  cells = connected.map(({ sql }, cell) => ({ cell, sql }));
  client = await newClient(service);
  await change(service, `/accounts/${client.accountId}/wallet`, { amount: "1000.00", reference: "start", note: "" });
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

async function recharge(urid: string): Promise<string> {
  return await until("the account is served", async () => {
    const reply = await fetch(`${service.url}/api/corp/v1/recharge`, {
      method: "POST",
      headers: { "x-api-token": client.token, "content-type": "application/json" },
      body: JSON.stringify({ account: "9876543000", operator: "AT", amount: "10.00", urid }),
    });
    const { order_id: orderId } = (await reply.json()) as JsonRecord;
    return typeof orderId === "string" ? orderId : null;
  });
}

async function move(toCell: number, at?: Step, event?: () => Promise<void>): Promise<void> {
  const before = async (step: Step) => void (step === at && (await event?.()));
  const moved = await moveAccount({ cells, ids: randomIds(), now: Date.now, actor: "test", before }, client.accountId, toCell);
  expect(moved).toMatchObject({ kind: "done" });
}

async function isInCell1(): Promise<boolean> {
  const { sql } = cells[0] ?? expect.fail("There is no home.");
  return (await sql`select from account_cells where account_id = ${client.accountId} and cell = 1`).length === 1;
}

const workOf = async (orderId: string) => await operator(service, "GET", `/orders/${orderId}/work`);
const note = async (orderId: string, text: string) => (await operator(service, "POST", `/orders/${orderId}/notes`, { text })).status;

test("a note written while the account is moved is refused, or is still there when the move is over", async () => {
  if (!(await isInCell1())) await move(1);
  const orderId = await recharge("of-cell-1");
  const statuses: Partial<Record<Step, number>> = {};
  await move(0, "switch", async () => {
    expect((await workOf(orderId)).status).toBe(200);
    statuses.switch = await note(orderId, "before the switch");
  });
  await move(1);
  await move(0, "clean", async () => {
    // The reply shows that the process knows the new cell.
    await recharge("of-home");
    statuses.clean = await note(orderId, "before the old copy is deleted");
  });
  expect(statuses).toEqual({ switch: 503, clean: 200 });
  const notes = JSON.stringify((await workOf(orderId)).body);
  expect(notes).not.toContain("before the switch");
  expect(notes).toContain("before the old copy is deleted");
});
