import { afterAll, beforeAll, expect, test } from "vitest";
import { NEVER } from "../../providers/testing/requests.ts";
import { connectorOf, newOrder, type OtherInstallation, settled, startOtherInstallation } from "./testing/installation.ts";

let other: OtherInstallation;
beforeAll(async () => {
  other = await startOtherInstallation();
});
afterAll(() => other?.close());

const recharge = (target: string, more: object = {}) => newOrder({ target, amount: "10.5", ...more });

test("a recharge succeeds with what the provider says about our account, and is found again", async () => {
  const request = recharge("9876543000");
  const outcome = await other.send(request);
  expect(outcome).toMatchObject({ kind: "succeeded", operatorRef: expect.stringMatching(/^SIM/), balance: "99989.5000" });
  expect(await other.ask(request)).toEqual(outcome);
});

test.each([
  ["102", "declined", "reversed"],
  ["200", "pending", "succeeded"],
  ["202", "pending", "reversed"],
])("a number that ends in %s is %s and later %s", async (digits, first, last) => {
  const request = recharge(`9876543${digits}`);
  expect((await other.send(request)).kind).toBe(first);
  expect((await settled(other, request)).kind).toBe(last);
});

test("an order that never arrived is not found", async () => {
  expect(await other.ask(recharge("9876543000"))).toEqual({ kind: "not_found" });
});

test("a number of another form is declined for good, an unknown operator for this provider", async () => {
  expect(await other.send(recharge("12345"))).toMatchObject({ kind: "declined", decline: "final", failure: "number_not_valid" });
  expect(await other.send(recharge("9876543000", { operator: "XX" }))).toMatchObject({ kind: "declined", decline: "provider" });
  expect(await other.send(recharge("9876543000", { amount: "9999" }))).toMatchObject({ failure: "amount_not_accepted" });
});

test("an empty account there is a lack of float, a paused one a fault of the provider", async () => {
  const poor = await other.fixture.newClient(1);
  const connector = connectorOf(other.fixture, poor);
  const request = recharge("9876543000");
  expect(await connector.send(request, NEVER)).toMatchObject({ kind: "declined", decline: "float" });
  poor.set({ standing: "paused" });
  expect(await connector.send(request, NEVER)).toMatchObject({ kind: "declined", decline: "provider", failure: "unavailable" });
  expect(await connector.query("balance", {}, NEVER)).toMatchObject({ kind: "unavailable", why: "HTTP 403, account_paused" });
  await connector.close();
});

test("a wrong token or secret sends nothing, and says so", async () => {
  const { account, fixture } = other;
  const credentials = { ...account.credentials, token: "tok_live_wrong" };
  const connector = connectorOf(fixture, { ...account, credentials });
  expect(await connector.send(recharge("9876543000"), NEVER)).toMatchObject({ kind: "not_sent", fault: "credentials" });
  await connector.close();
});

test("balance, lookup and plans are answered in our codes", async () => {
  expect(await other.answer("balance", {})).toEqual({ balance: expect.stringMatching(/^\d+\.\d{4}$/) });
  const found = await other.answer("lookup", { number: "9876543000" });
  expect(found).toEqual({ operator: expect.stringMatching(/^[A-Z]{2}$/), circle: expect.any(String), ported: false });
  expect(await other.query("lookup", { number: "1" })).toMatchObject({ kind: "refused" });
  const { plans } = await other.answer("plans", { operator: "AT", circle: null });
  expect(plans.length).toBeGreaterThan(0);
  const mapped = connectorOf(other.fixture, other.account, { operators: { AIRTEL: "AT" } });
  expect(await mapped.query("plans", { operator: "AIRTEL", circle: null }, NEVER)).toEqual({ kind: "answered", value: { plans } });
  expect(await mapped.query("plans", { operator: "AT", circle: null }, NEVER)).toMatchObject({ kind: "refused", code: "not_found" });
  await mapped.close();
});

test("a complaint is raised once for its reference, and its decision is found", async () => {
  const request = recharge("9876543000");
  await other.send(request);
  const complaint = {
    ...{ reference: request.reference, complaint_reference: "CMP-OURS-1", provider_ref: "", operator_ref: "", service: "recharge" },
    ...{ amount: "10.5", created_at: request.createdAt, reason: "not_credited", description: "The customer has no balance." },
  };
  const raised = await other.answer("complaints.raise", complaint);
  expect(raised.complaint_ref).toMatch(/^CMP[A-Z0-9]{12}$/);
  expect(await other.answer("complaints.raise", complaint)).toEqual(raised);
  expect(await other.answer("complaints.raise", { ...complaint, complaint_reference: "CMP-OURS-2" })).toEqual(raised);
  const question = { ...raised, reference: request.reference, provider_ref: "" };
  expect(await other.answer("complaints.status", question)).toEqual({ status: "open", reason: "" });
  expect(await other.query("complaints.status", { ...question, complaint_ref: "CMPNOSUCHREF00" })).toMatchObject({ code: "not_found" });
  expect(await other.query("complaints.status", { ...question, complaint_ref: "../balance" })).toMatchObject({ code: "not_found" });
  const failed = recharge("9876543102");
  await other.send(failed);
  expect(await other.query("complaints.raise", { ...complaint, reference: failed.reference, complaint_reference: "" })).toMatchObject({
    kind: "refused",
  });
});
