import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "../../../platform/observability/log.ts";
import { memoryVault } from "../../accounts/testing/memory-vault.ts";
import { money } from "../../orders/testing/fixture.ts";
import { finishAbandonedCancellations } from "../../services/bus/cancellations/finish-cancellation.ts";
import type { BusProviderService } from "../../services/bus/provider-service.ts";
import { simulatedBus } from "../../services/bus/simulator/simulated-bus.ts";
import { type Booked, type BusFixture, balanceOf, buy, createBusFixture } from "../../services/bus/testing/travel.ts";
import { providersNamed } from "../../services/signed/provider-services.ts";
import type { Client } from "../../services/testing/service-fixture.ts";
import { FAILURE_SENTENCES } from "../../shared/failure.ts";
import { maintainApprovals } from "../approvals-job.ts";
import { askApproval } from "../ask-approval.ts";
import type { ApprovalsContext } from "../context.ts";
import { approve } from "../decide-approval.ts";
import { findApproval } from "../store.ts";
import { staff } from "../testing/fixture.ts";
import { cancelExecutor } from "./orders.ts";

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

/** The service, with another provider behind it where one is given. */
function contextWith(change: Partial<BusProviderService> = {}): ApprovalsContext {
  const { clock } = fixture.orders;
  const { sql, ids } = fixture.cancelContext;
  const ctx = { ...fixture.cancelContext, providerServices: { bus: providersNamed({ simulator: { ...simulatedBus(), ...change } }) } };
  return { sql, clock, ids, log: createLog("silent"), vault: memoryVault(), executors: { cancel: cancelExecutor(ctx) } };
}

async function askFor(ticket: Booked): Promise<string> {
  const asked = await askApproval(contextWith(), staff("MAKER"), {
    kind: "cancel",
    about: `order ${ticket.orderId}`,
    input: { reason: "the client asked by telephone" },
    amount: money(ticket.total),
    accountId: client.accountId,
    orderId: ticket.orderId,
  });
  if (asked.kind !== "waits") throw new Error(asked.reason);
  return asked.approval.approvalId;
}

const agree = (ctx: ApprovalsContext, approvalId: string) => approve(ctx, staff("CHECKER"), { approvalId, reason: null });
const stateOf = async (approvalId: string) => (await findApproval(fixture.cancelContext.sql, approvalId))?.state;
const SIX_DAYS = 6 * 24 * 60 * 60 * 1000;
const silent = async (): Promise<never> => {
  throw new Error("no answer");
};

test("a ticket is cancelled when somebody else agrees, and both are named", async () => {
  const ticket = await buy(fixture, client, { seats: 2 });
  const before = await balanceOf(client);
  const approvalId = await askFor(ticket);
  const decided = await agree(contextWith(), approvalId);
  expect(decided).toMatchObject({ approval: { state: "done", result: { status: "FAILED" } } });
  const refund = Number(decided.kind === "done" && decided.approval.result?.["refund_amount"]);
  expect(refund).toBeGreaterThan(0);
  expect(await balanceOf(client)).toBeCloseTo(before + refund, 4);
  const [entry] = await fixture.orders.owner<{ actor: string; details: string }[]>`
    select actor, details from audit_log where subject_id = ${ticket.orderId}`;
  expect(entry?.actor).toBe("staff:CHECKER");
  expect(JSON.parse(entry?.details ?? "")).toMatchObject({ approval_id: approvalId, made_by: "staff:MAKER" });
});

test("the refund is what the provider quotes when the approval is carried out, as without approval", async () => {
  const ticket = await buy(fixture, client, { seats: 2 });
  const before = await balanceOf(client);
  const approvalId = await askFor(ticket);
  const cancelQuote = async () => ({ kind: "quoted", refund: money(12.34), charges: money(1) }) as const;
  expect(await agree(contextWith({ cancelQuote }), approvalId)).toMatchObject({
    approval: { state: "done", result: { refund_amount: "12.3400" } },
  });
  expect(await balanceOf(client)).toBeCloseTo(before + 12.34, 4);
});

test("nothing is cancelled until the provider has quoted, and not if it refuses to", async () => {
  const ticket = await buy(fixture, client, { seats: 1 });
  const before = await balanceOf(client);
  const approvalId = await askFor(ticket);
  await agree(contextWith({ cancelQuote: silent }), approvalId);
  expect([await stateOf(approvalId), await balanceOf(client)]).toEqual(["approved", before]);
  const [recorded] = await fixture.orders.owner<{ times: number }[]>`
    select count(*)::int as times from bus_cancellations where order_id = ${ticket.orderId}`;
  expect(recorded?.times).toBe(0);
  fixture.orders.clock.advance(60_000);
  await maintainApprovals(contextWith({ cancelQuote: async () => ({ kind: "refused", why: "too late for this bus" }) }));
  expect(await stateOf(approvalId)).toBe("failed");
  expect(await balanceOf(client)).toBe(before);
});

test("a provider that does not answer is asked again until it does, and the money comes back once", async () => {
  const ticket = await buy(fixture, client, { seats: 2 });
  const before = await balanceOf(client);
  const approvalId = await askFor(ticket);
  await agree(contextWith({ cancel: silent }), approvalId);
  fixture.orders.clock.advance(60_000);
  await maintainApprovals(contextWith({ cancel: silent }));
  expect([await stateOf(approvalId), await balanceOf(client)]).toEqual(["approved", before]);
  fixture.orders.clock.advance(60_000);
  await Promise.all([
    maintainApprovals(contextWith()),
    maintainApprovals(contextWith()),
    finishAbandonedCancellations(fixture.cancelContext),
  ]);
  await maintainApprovals(contextWith());
  expect(await stateOf(approvalId)).toBe("done");
  const [posted] = await fixture.orders.owner<{ times: number }[]>`
    select count(*)::int as times from transfers where order_id = ${ticket.orderId} and kind = 'refund'`;
  expect(posted?.times).toBe(1);
  expect(await balanceOf(client)).toBeGreaterThan(before);
});

test("a provider that refuses leaves the ticket as it was, and the approval failed", async () => {
  const ticket = await buy(fixture, client, { seats: 1 });
  const before = await balanceOf(client);
  const approvalId = await askFor(ticket);
  const refusing = contextWith({ cancel: async () => ({ kind: "refused", why: "too late for this bus" }) });
  expect(await agree(refusing, approvalId)).toMatchObject({
    approval: { state: "failed", result: { reason: FAILURE_SENTENCES.cancellation_refused } },
  });
  expect(await balanceOf(client)).toBe(before);
});

test("a bus that has departed meanwhile is not cancelled", async () => {
  const ticket = await buy(fixture, client, { seats: 1 });
  const approvalId = await askFor(ticket);
  // Its own time stands still, so that it is the bus that is gone, not the approval.
  const ctx = { ...contextWith(), clock: { now: () => fixture.orders.clock.now() - SIX_DAYS } };
  fixture.orders.clock.advance(SIX_DAYS);
  expect(await agree(ctx, approvalId)).toMatchObject({
    approval: { state: "failed", result: { reason: expect.stringContaining("has departed") } },
  });
});

test.each([
  ["cancelled", "done"],
  ["not_cancelled", "failed"],
])("a second person who decides that an unanswered cancellation is %s ends it, and its approval is %s", async (outcome, state) => {
  const ticket = await buy(fixture, client, { seats: 2 });
  const before = await balanceOf(client);
  const approvalId = await askFor(ticket);
  await agree(contextWith({ cancel: silent }), approvalId);
  const [row] = await fixture.orders.owner<{ cancel_id: string; refund: bigint }[]>`
    select cancel_id, refund from bus_cancellations where order_id = ${ticket.orderId}`;
  const asked = await askApproval(contextWith(), staff("MAKER"), {
    kind: "cancel",
    about: `cancellation ${row?.cancel_id}`,
    input: { cancel_id: row?.cancel_id ?? "", outcome, reason: "the provider wrote so" },
    amount: money(1),
    accountId: client.accountId,
    orderId: ticket.orderId,
  });
  if (asked.kind !== "waits") throw new Error(asked.reason);
  expect(await agree(contextWith({ cancel: silent }), asked.approval.approvalId)).toMatchObject({
    approval: { state: "done", result: { outcome } },
  });
  fixture.orders.clock.advance(60_000);
  await maintainApprovals(contextWith({ cancel: silent }));
  expect(await stateOf(approvalId)).toBe(state);
  const refund = outcome === "cancelled" ? Number(row?.refund) / 10_000 : 0;
  expect(await balanceOf(client)).toBeCloseTo(before + refund, 4);
});
