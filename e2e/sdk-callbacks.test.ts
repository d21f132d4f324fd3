import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Callback, CallbackVerifier, Corprail, nodeHandler } from "@corprail/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { type Client, change, newCallbackSecret, newClient } from "./harness/operator.ts";
import { type Installation, sharedInstallation } from "./harness/service.ts";

let installation: Installation;
const servers: Server[] = [];
beforeAll(async () => {
  installation = await sharedInstallation();
});
afterAll(async () => {
  await installation?.close();
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
});

type Receiver = { readonly url: string; readonly got: Callback[]; readonly refused: string[] };

async function receiver(verifier: CallbackVerifier): Promise<Receiver> {
  const got: Callback[] = [];
  const refused: string[] = [];
  const server = createServer(
    nodeHandler(verifier, (callback) => void got.push(callback), { onRefused: (reason) => refused.push(reason) }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cb?shop=a+b%26c`, got, refused };
}

type Fixture = { readonly client: Client; readonly corprail: Corprail; readonly receiver: Receiver };

async function fixture(version: 2 | 3): Promise<Fixture> {
  const { service } = installation;
  const client = await newClient(service);
  await change(service, `/accounts/${client.accountId}/wallet`, { amount: "1000.00", reference: "start", note: "" });
  const callbackSecret = await newCallbackSecret(service, client.accountId);
  const verifier = new CallbackVerifier(version === 2 ? { token: client.token } : { callbackSecret });
  const one = await receiver(verifier);
  const urls = { callback_url: one.url, complaint_callback_url: one.url };
  await change(service, `/accounts/${client.accountId}`, { ...urls, callback_version: version });
  const corprail = new Corprail({ baseUrl: service.url, token: client.token, signingSecret: client.secret });
  return { client, corprail, receiver: one };
}

async function callback(from: Receiver, key: RegExp, times = 1): Promise<Callback> {
  const found = () => from.got.filter((one) => key.test(one.bookingKey));
  await until(`${times} × ${key}`, () => found().length >= times);
  return found()[times - 1] as Callback;
}

test.each([2, 3] as const)("version %d: what the service sends is verified, from pending to reversal and complaint", async (version) => {
  const { client, corprail, receiver: at } = await fixture(version);
  const pending = await corprail.recharge.create({ urid: "cb-1", account: "9876543200", operator: "AT", amount: "10.5" });
  expect(pending.outcome).toBe("pending");
  const succeeded = await callback(at, /^status:.*:SUCCESS$/);
  const settled = await corprail.recharge.get({ urid: "cb-1" });
  expect(succeeded).toMatchObject({
    kind: "status",
    version,
    orderId: settled.orderId,
    urid: "cb-1",
    amount: "10.5000",
    account: "9876543200",
  });
  expect(succeeded).toMatchObject({ operatorRef: version === 3 ? settled.operatorRef : null });
  if (version === 2) expect(succeeded.parameters).toMatchObject({ shop: "a b&c" });

  const complaint = await corprail.complaints.raise({ urid: "cb-1", reason: "not_credited", description: "Nothing has come." });
  const decision = { decision: "refund", reason: "The operator did not credit it." };
  await change(installation.service, `/complaints/${complaint.complaintRef}/clear`, decision);
  expect(await callback(at, /^status:.*:FAILED$/)).toMatchObject({ status: "FAILED", urid: "cb-1", orderId: settled.orderId });
  expect(await callback(at, /^complaint:CMP/)).toMatchObject({
    kind: "complaint",
    status: "REFUNDED",
    refundAmount: "10.5000",
    complaintRef: complaint.complaintRef,
    test: false,
    reason: version === 3 ? decision.reason : null,
  });
  expect(await corprail.complaints.get(complaint.complaintRef)).toMatchObject({ status: "REFUNDED", refundAmount: "10.5000" });
  expect(await corprail.recharge.get({ urid: "cb-1" })).toMatchObject({ outcome: "failed", customerRefund: "due" });

  const trial = await change(installation.service, `/accounts/${client.accountId}/test-complaint`);
  expect(trial).toMatchObject({ delivered: true, http_status: 200 });
  expect(await callback(at, /^complaint:TEST-/)).toMatchObject({ test: true, status: "RESOLVED", refundAmount: "0.0000" });
  expect(at.refused).toEqual([]);
});

test("a receiver with another key refuses what the service sends", async () => {
  const { service } = installation;
  const { client, receiver: at } = await fixture(3);
  await newCallbackSecret(service, client.accountId);
  const refused = await change(service, `/accounts/${client.accountId}/test-complaint`);
  expect(refused).toMatchObject({ delivered: false, http_status: 403 });
  expect(at.refused).toEqual(["wrong_signature"]);
  expect(at.got).toEqual([]);
});
