import { afterAll, beforeAll, expect, test } from "vitest";
import { refundManually, reverseManually } from "../../orders/change-manually.ts";
import type { Client, ServiceFixture } from "../testing/service-fixture.ts";
import { balanceOf, createFixture, newParties, newTransfer, ok, ref, senderOf } from "./testing/flow.ts";

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

/** A client whose callbacks go somewhere, in this version. */
async function clientOfVersion(version: 2 | 3): Promise<Client> {
  const client = await fixture.newClient(10_000);
  await fixture.orders.owner`
    insert into accounts (account_id, name, sandbox, callback_url, callback_version, created_at, updated_at)
    values (${client.accountId}, 'Asha Stores', false, 'https://client.example/callback', ${version}, now(), now())`;
  return client;
}

const callbacksOf = (client: Client) => fixture.orders.database.sql<{ status: string; urid: string; amount: bigint; target: string }[]>`
  select status, urid, amount, target from callbacks where account_id = ${client.accountId} order by callback_id`;
const refund = (orderId: unknown) =>
  refundManually(fixture.ctx, "operator", { orderId: String(orderId), reason: "The bank sent it back." });

test.each([2, 3] as const)("a refund after success gives back amount, fee and limit; version %i", async (version) => {
  const client = await clientOfVersion(version);
  const parties = await newParties(client);
  const sent = await newTransfer(client, parties, { amount: "2000" });
  expect([await balanceOf(client), (await senderOf(client, parties.sender))["used_month"]]).toEqual(["7980.0000", "2000.0000"]);
  expect(await refund(sent["order_id"])).toEqual({ kind: "done" });
  expect(await ok(client.signed.get("/transfers", { request_id: String(sent["request_id"]) }))).toMatchObject({
    ok: true,
    status: "FAILED",
    code: 1,
    operator_ref: sent["operator_ref"],
    amount: "2000",
    fee: "20.0000",
    balance: "10000.0000",
    message: "Refunded by the service's staff.",
    transfer: { refund_status: "refunded", utr: sent["operator_ref"] },
  });
  expect(await senderOf(client, parties.sender)).toMatchObject({ used_month: "0.0000", available_month: "25000.0000" });
  // Spec, Events, status callbacks, rule 3. Before that the reply was final, so nothing was sent.
  const callback = { status: "FAILED", urid: sent["request_id"], amount: 20_000_000n, target: "XXXXXXXXXX6789" };
  expect(await callbacksOf(client)).toEqual(version === 3 ? [callback] : []);
  expect(await refund(sent["order_id"])).toMatchObject({ kind: "conflict" });
  expect(await balanceOf(client)).toBe("10000.0000");
});

test("a reversal sends a callback in both versions and returns the same amount", async () => {
  for (const version of [2, 3] as const) {
    const client = await clientOfVersion(version);
    const parties = await newParties(client);
    const { order_id } = await newTransfer(client, parties, { amount: "2000" });
    expect(await reverseManually(fixture.ctx, "operator", { orderId: String(order_id), reason: "taken back" })).toEqual({ kind: "done" });
    expect(await callbacksOf(client)).toMatchObject([{ status: "FAILED" }]);
    const found = await ok(client.signed.get("/transfers", { order_id: String(order_id) }));
    expect(found).toMatchObject({ status: "FAILED", transfer: { refund_status: "refunded" } });
    expect(await senderOf(client, parties.sender)).toMatchObject({ used_month: "0.0000" });
  }
});

test("twenty refunds of one transfer at once return the money once", async () => {
  const client = await clientOfVersion(3);
  const { order_id } = await newTransfer(client, await newParties(client), { amount: "5000" });
  const results = await Promise.all(Array.from({ length: 20 }, () => refund(order_id)));
  expect(results.filter((result) => result.kind === "done")).toHaveLength(1);
  expect(await balanceOf(client)).toBe("10000.0000");
  expect(await callbacksOf(client)).toHaveLength(1);
});

test("what is pending or failed, and a penny drop, has nothing to refund", async () => {
  const client = await clientOfVersion(3);
  const pending = await newTransfer(client, await newParties(client, { account: "123456789110" }), { amount: "100" });
  const failed = await newTransfer(client, await newParties(client, { account: "123456789102" }), { amount: "100" });
  const { beneficiary_id } = await newParties(client);
  const asked = await ok(client.signed.post("/transfers/beneficiaries/verify", { request_id: ref(), beneficiary_id }));
  for (const one of [pending, failed, asked]) expect(await refund(one["order_id"])).toMatchObject({ kind: "conflict" });
  expect(await refund("UNKNOWN00000")).toEqual({ kind: "not_found" });
  // The hold of the pending one, and the penny drop's fee.
  expect(await balanceOf(client)).toBe("9887.0000");
});

test("refunds under way never let a sender exceed the limit, nor lose any of it", async () => {
  const client = await fixture.newClient(1_000_000);
  const parties = await newParties(client);
  const sent = await Promise.all(Array.from({ length: 5 }, () => newTransfer(client, parties, { amount: "5000" })));
  const racing = [
    ...sent.map((one) => refund(one["order_id"])),
    ...Array.from({ length: 10 }, () => newTransfer(client, parties, { amount: "5000" }).catch(() => null)),
  ];
  await Promise.all(racing);
  const [row] = await fixture.orders.database.sql<{ used: string }[]>`
    select coalesce(sum(amount), 0)::text as used from orders where account_id = ${client.accountId} and state <> 2`;
  const { used_month } = await senderOf(client, parties.sender);
  expect(Number(used_month)).toBe(Number(row?.used) / 10_000);
  expect(Number(used_month)).toBeLessThanOrEqual(25_000);
});
