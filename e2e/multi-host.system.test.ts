import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { type Client, change, newClient } from "./harness/operator.ts";
import { type Replicated, startReplicated } from "./harness/servers/standby.ts";
import { type Service, startService } from "./harness/service.ts";

let database: Replicated;
let service: Service;
let client: Client;
beforeAll(async () => {
  database = await startReplicated();
});
afterAll(async () => {
  await service?.stop();
  await database?.close();
  if (service) await rm(service.dataFolder, { recursive: true, force: true });
});

async function recharge(urid: string): Promise<unknown> {
  const reply = await fetch(`${service.url}/api/corp/v1/recharge`, {
    method: "POST",
    headers: { "x-api-token": client.token, "content-type": "application/json" },
    body: JSON.stringify({ account: "9876543000", operator: "AT", amount: "10.00", urid }),
  });
  return ((await reply.json()) as Record<string, unknown>)["status"];
}

test("a service starts although the first host of its address is a standby", async () => {
  service = await startService({ CORPRAIL_DATABASE_URL: database.url });
  client = await newClient(service);
  await change(service, `/accounts/${client.accountId}/wallet`, { amount: "1000", reference: "first", note: "" });
  expect(await recharge("before")).toBe("SUCCESS");
});

test("after a failover the same process goes on with the new leader, and knows what the old one had committed", async () => {
  await database.caughtUp();
  await database.stopLeader();
  await until("the service notices", async () => ((await fetch(`${service.url}/readyz`)).status === 503 ? true : null));
  await database.promoteStandby();
  await until("orders are carried out again", async () => ((await recharge("after")) === "SUCCESS" ? true : null));
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  expect(await recharge("before")).toBe("SUCCESS");
  const balance = await fetch(`${service.url}/api/corp/v1/balance`, { headers: { "x-api-token": client.token } });
  expect(await balance.json()).toMatchObject({ balance: "980.0000" });
});
