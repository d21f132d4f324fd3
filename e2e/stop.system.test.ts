import { afterAll, beforeAll, expect, test } from "vitest";
import { PREFIX } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, newClient } from "./harness/operator.ts";
import { type Installation, startInstallation } from "./harness/service.ts";

// Longer than a stop may take, so that no reply is due before the process has to end.
const PATIENT = { CORPRAIL_REPLY_WAIT_MS: "60000", CORPRAIL_SIMULATOR_TIMEOUT_MS: "60000" };
// The simulator does not answer these.
const SILENT = ["9876543130", "9876543131"];

let installation: Installation;
let client: Client;
beforeAll(async () => {
  installation = await startInstallation(PATIENT);
  client = await newClient(installation.service);
  await change(installation.service, `/accounts/${client.accountId}/wallet`, { amount: "100.00", reference: "start", note: "" });
});
afterAll(() => installation.close());

async function recharge(account: string): Promise<unknown> {
  const reply = await fetch(`${installation.service.url}${PREFIX}/recharge`, {
    method: "POST",
    headers: { "x-api-token": client.token, "content-type": "application/json" },
    body: JSON.stringify({ account, operator: "AT", amount: "10.00", urid: account }),
  });
  return await reply.json();
}

async function ordersInProgress(): Promise<number> {
  const { service } = installation;
  const reply = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${service.operatorKey}` } });
  return Number(/^corprail_orders_under_way (\d+)$/m.exec(await reply.text())?.[1]);
}

test("SIGTERM answers requests that wait longer than the stop may take as pending", async () => {
  const replies = SILENT.map(recharge);
  await until("both orders are with the provider", async () => (await ordersInProgress()) === SILENT.length);
  const stopped = installation.service.stop();
  for (const reply of replies) expect(await reply).toMatchObject({ status: "pending" });
  expect(await stopped).toEqual({ code: 0, signal: null });
});
