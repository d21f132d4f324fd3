import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { get } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { change, newClient, operator } from "./harness/operator.ts";
import { type Installation, launch, startInstallation, temporaryFolder } from "./harness/service.ts";

// The machine's clock of a service as a file says; PostgreSQL has the real one.
let folder: string;
let installation: Installation;
const setClock = (seconds: number) => writeFileSync(join(folder, "seconds"), String(seconds));
const shifted = () => ({ NODE_OPTIONS: `--import=${join(folder, "shift.mjs")}` });

beforeAll(async () => {
  folder = await temporaryFolder("corprail-clock-");
  const file = JSON.stringify(join(folder, "seconds"));
  const code = `import { readFileSync } from "node:fs"; const real = Date.now; Date.now = () => real() + Number(readFileSync(${file}, "utf8")) * 1000;`;
  writeFileSync(join(folder, "shift.mjs"), code);
  setClock(0);
  installation = await startInstallation(shifted());
});
afterAll(async () => {
  setClock(0);
  await installation?.close();
  await rm(folder, { recursive: true, force: true });
});

async function readiness(): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const reply = await fetch(`${installation.service.url}/readyz`);
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

test("a machine's clock that steps back by hours stops client calls with 503 busy, not what is under way, until it is right", async () => {
  const { service } = installation;
  const client = await newClient(service);
  await change(service, `/accounts/${client.accountId}/wallet`, { amount: "100", reference: "start", note: "" });
  const placed = await fetch(`${service.url}/api/corp/v1/recharge`, {
    method: "POST",
    headers: { "x-api-token": client.token, "content-type": "application/json" },
    body: JSON.stringify({ account: "9876543200", operator: "AT", amount: "10", urid: "clock-1" }),
  });
  const { order_id: orderId, status } = (await placed.json()) as { order_id: string; status: string };
  expect(status).toBe("pending");
  setClock(-3 * 3600);
  const notReady = await until("the service is not ready", async () => {
    const found = await readiness();
    return found.status === 503 ? found : null;
  });
  expect(notReady.body).toEqual({
    status: "not ready",
    reason: expect.stringMatching(/clock is 10[78]\d\d seconds behind the database's/),
  });
  const refused = await get(service.port, "/balance", { token: client.token });
  expect([refused.status, refused.json()["error"]]).toEqual([503, "busy"]);
  expect(refused.headers.get("retry-after")).toEqual(["30"]);
  expect(JSON.stringify(refused.json())).not.toContain("clock");
  await until("the order is settled", async () => {
    const { body } = await operator(service, "GET", `/orders/${orderId}`);
    return (body["order"] as { status?: string }).status === "SUCCESS" ? true : null;
  });
  setClock(0);
  await until("the service is ready again", async () => ((await readiness()).status === 200 ? true : null));
  expect((await get(service.port, "/balance", { token: client.token })).status).toBe(200);
});

test("a service whose clock is minutes from the database's does not start, and says why", async () => {
  setClock(600);
  const dataFolder = await temporaryFolder();
  const environment = { CORPRAIL_PORT: "0", CORPRAIL_DATABASE_URL: installation.databaseUrl, CORPRAIL_DATA_DIR: dataFolder };
  const late = launch({ ...environment, ...shifted() });
  expect((await late.exited).code).toBe(1);
  expect(late.errors()).toMatch(/cannot start: this machine's clock is \d{3} seconds ahead of the database's/);
  await rm(dataFolder, { recursive: true, force: true });
});
