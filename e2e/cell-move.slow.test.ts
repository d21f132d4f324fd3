import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BIN } from "../cli/testing/processes.ts";
import { migratedDatabase } from "../server/src/testing/database.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, type JsonRecord, newClient, operator } from "./harness/operator.ts";
import { launch, type Service, startService } from "./harness/service.ts";

let databases: Awaited<ReturnType<typeof migratedDatabase>>[];
let environment: Readonly<Record<string, string>>;
let service: Service;
let client: Client;

beforeAll(async () => {
  databases = await Promise.all([migratedDatabase(), migratedDatabase(), migratedDatabase()]);
  const [home, one, two] = databases.map(({ url }) => url);
  environment = { CORPRAIL_DATABASE_URL: `${home}`, CORPRAIL_CELLS: `1=${one} 2=${two}`, CORPRAIL_SIMULATOR_DELAY_MS: "20" };
  service = await startService(environment);
  client = await newClient(service);
  await change(service, `/accounts/${client.accountId}/wallet`, { amount: "100000", reference: "first", note: "" });
  await change(service, `/accounts/${client.accountId}`, { money_per_minute: 100_000, get_per_minute: 100_000 });
});
afterAll(async () => {
  await service.stop();
  await Promise.all(databases.map(({ drop }) => drop()));
  await rm(service.dataFolder, { recursive: true, force: true });
});

async function call(
  method: "GET" | "POST",
  path: string,
  body?: JsonRecord,
): Promise<{ readonly status: number; readonly body: JsonRecord }> {
  const reply = await fetch(`${service.url}/api/corp/v1${path}`, {
    method,
    headers: { "x-api-token": client.token, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: reply.status, body: (await reply.json()) as JsonRecord };
}

type Load = { readonly sent: readonly string[]; readonly statuses: ReadonlyMap<number, number>; readonly stop: () => Promise<void> };

/** Recharges one after the other, in a few loops, until it is stopped. */
function startLoad(): Load {
  const sent: string[] = [];
  const statuses = new Map<number, number>();
  let isStopped = false;
  const loops = [0, 1, 2].map(async (loop) => {
    for (let number = 0; !isStopped; number++) {
      const urid = `move-${loop}-${number}`;
      sent.push(urid);
      const { status } = await call("POST", "/recharge", { account: "9876543000", operator: "AT", amount: "10.00", urid });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 503) await delay(50);
    }
  });
  const stop = async () => {
    isStopped = true;
    await Promise.all(loops);
  };
  return { sent, statuses, stop };
}

/** Runs the command and kills it after this time, unless it has ended. Returns whether the move is complete. */
async function moveFor(milliseconds: number, cell: string): Promise<boolean> {
  const folder = { CORPRAIL_DATA_DIR: service.dataFolder };
  const command = launch({ ...environment, ...folder }, BIN, { words: ["cell", "move-account", client.accountId, cell, "--json"] });
  const timer = setTimeout(() => command.signal("SIGKILL"), milliseconds);
  const { code } = await command.exited;
  clearTimeout(timer);
  return code === 0;
}

async function balance(): Promise<number> {
  return Number((await call("GET", "/balance")).body["balance"]);
}

test("an account moves under load while its command is killed again and again, and no order is lost or made twice", {
  timeout: 600_000,
}, async () => {
  const load = startLoad();
  for (const [place, cell] of ["2", "home"].entries()) {
    // Each time it gets a little further: from before the first step to after the last.
    for (let milliseconds = 500 + 150 * place; !(await moveFor(milliseconds, cell)); milliseconds += 700);
    await until("the new cell serves it", async () => ((await call("GET", "/balance")).status === 200 ? true : null));
    expect((await operator(service, "GET", `/accounts/${client.accountId}`)).status).toBe(200);
  }
  await load.stop();
  expect([...load.statuses.keys()].sort()).toEqual([200, 503]);
  const unclear = new Set(load.sent);
  const paid: string[] = [];
  while (unclear.size > 0) {
    for (const urid of unclear) {
      const { status, body } = await call("GET", `/recharge?urid=${urid}`);
      if (status === 404 || body["status"] === "FAILED" || body["status"] === "SUCCESS") unclear.delete(urid);
      if (body["status"] === "SUCCESS") paid.push(urid);
    }
  }
  expect(await balance()).toBe(100_000 - 10 * paid.length);
  expect(paid.length).toBeGreaterThan(10);
  expect((await operator(service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  const { body } = await operator(service, "GET", `/orders?limit=1&account_id=${client.accountId}`);
  const [newest] = body["items"] as JsonRecord[];
  expect((await operator(service, "GET", `/orders/${String(newest?.["order_id"])}`)).status).toBe(200);
});
