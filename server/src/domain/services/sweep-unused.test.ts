import { afterAll, beforeAll, expect, test } from "vitest";
import { EXACT, fetchBill, fetched, pay } from "./bills/testing/payer.ts";
import { type BusFixture, buy, createBusFixture, hold } from "./bus/testing/travel.ts";
import { createUnusedSweep, sweepOldFetches } from "./sweep-unused.ts";
import type { Client } from "./testing/service-fixture.ts";
import { askQuote, newParties, newTransfer, ref } from "./transfers/testing/flow.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;

let fixture: BusFixture;
let client: Client;
beforeAll(async () => {
  fixture = await createBusFixture();
  client = await fixture.newClient(100_000);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const inDays = (days: number) => new Date(fixture.orders.clock.now() + days * DAY_MILLISECONDS);
/** Sweeps as a newly started process; returns what was deleted. */
async function sweep(before: Date): Promise<Record<string, number>> {
  const swept: Record<string, number> = {};
  const count = (table: string, rows: number) => {
    if (rows > 0) swept[table] = rows;
  };
  await createUnusedSweep(fixture.orders.database.sql)(before, count);
  return swept;
}

test("what is still valid is not deleted", async () => {
  await fetched(client, "valid");
  await askQuote(client, await newParties(client));
  await hold(fixture, client, {});
  expect(await sweep(inDays(0))).toEqual({});
  await sweep(inDays(10));
});

test("an expired unpaid bill is deleted, a paid one stays, and the reference stays used for ever", async () => {
  const paid = await fetched(client, "paid");
  expect((await pay(client, "paid", { fetch_ref: paid.fetchRef, amount: paid.amount })).body["status"]).toBe("SUCCESS");
  await fetched(client, "unpaid");
  expect(await sweep(inDays(1))).toEqual({ bill_fetches: 1 });
  expect((await client.signed.get("/bills/fetch", { fetch_ref: paid.fetchRef })).status).toBe(200);
  expect((await client.signed.get("/bills/fetch", { request_id: "unpaid" })).body["error"]).toBe("fetch_not_found");
  expect(await fetchBill(client, "unpaid")).toMatchObject({ status: 409, body: { error: "duplicate_reference", code: 124 } });
});

test("an unused quote is deleted with its one-time passwords, and a used one stays for its transfer", async () => {
  const parties = await newParties(client);
  const transfer = await newTransfer(client, parties);
  const request_id = ref();
  await askQuote(client, parties, { request_id });
  expect(await sweep(inDays(1))).toEqual({ transfer_quotes: 1, one_time_passwords: expect.any(Number) });
  expect(await askQuote(client, parties, { request_id })).toMatchObject({ status: 409, body: { error: "duplicate_reference" } });
  const found = await client.signed.get("/transfers", { order_id: String(transfer["order_id"]) });
  expect(found.body["transfer"]).toMatchObject({ beneficiary_id: parties.beneficiary_id });
});

test("seats are deleted after the departure, unbooked blocks before that; the ticket stays", async () => {
  const { owner } = fixture.orders;
  const held = await hold(fixture, client, { days: 5, seats: 2 });
  const bought = await buy(fixture, client, { days: 5, seats: 1 });
  expect(await sweep(inDays(2))).toEqual({ bus_blocks: 1 });
  const [left] = await owner<{ seats: number }[]>`
    select count(*)::int as seats from bus_block_seats where block_ref = ${String(held.blocked.body["block_ref"])}`;
  expect(left?.seats).toBe(0);
  expect(await sweep(inDays(8))).toEqual({ bus_seat_holders: 3 });
  expect((await client.signed.get("/bus/ticket", { ticket_no: bought.ticketNo })).status).toBe(200);
});

test("a later run of the same process reads only what became old since", async () => {
  const { sql } = fixture.orders.database;
  const sweepAgain = createUnusedSweep(sql);
  const rows: number[] = [];
  const count = (table: string, deleted: number) => void (table === "bill_fetches" && rows.push(deleted));
  await fetched(client, "early");
  await sweepAgain(inDays(1), count);
  await fetched(client, "late");
  await fixture.orders.owner`
    update bill_fetches set created_at = ${inDays(1)}, valid_until = ${inDays(1)} where account_id = ${client.accountId} and request_id = 'late'`;
  await sweepAgain(inDays(2), count);
  expect(rows).toEqual([1, 1]);
});

test("a paid bill is deleted with the evidence, unless its payment is still pending", async () => {
  const [done, open] = [await fetched(client, "done"), await fetched(client, "open", EXACT)];
  const answers = await Promise.all([
    pay(client, "done", { fetch_ref: done.fetchRef, amount: done.amount }),
    pay(client, "open", { fetch_ref: open.fetchRef, amount: open.amount }),
  ]);
  const { owner } = fixture.orders;
  const orderId = String(answers[1].body["order_id"]);
  await owner`update orders set state = 0 where order_id = ${orderId}`;
  expect(await sweepOldFetches(fixture.orders.database.sql, inDays(1))).toBeGreaterThan(0);
  const left = await owner<{ fetch_ref: string }[]>`select fetch_ref from bill_fetches where account_id = ${client.accountId}`;
  await owner`update orders set state = 1 where order_id = ${orderId}`;
  expect(left.map((row) => row.fetch_ref)).toEqual([open.fetchRef]);
});

test("a payment is found by its fetch_ref, which cannot be paid again, after the fetch was deleted", async () => {
  const { fetchRef, amount } = await fetched(client, "kept");
  const paid = await pay(client, "kept", { fetch_ref: fetchRef, amount });
  await sweepOldFetches(fixture.orders.database.sql, inDays(1));
  const found = await client.signed.get("/bills/pay", { fetch_ref: fetchRef });
  expect(found).toMatchObject({ status: 200, body: { order_id: paid.body["order_id"], request_id: "kept" } });
  const again = await pay(client, "again", { fetch_ref: fetchRef, amount });
  expect(again).toMatchObject({ status: 409, body: { error: "fetch_already_paid" } });
});
