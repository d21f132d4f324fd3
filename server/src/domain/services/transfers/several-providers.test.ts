import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { QueryConnector } from "../testing/query-connector.ts";
import type { Client, ServiceFixture } from "../testing/service-fixture.ts";
import {
  askQuote,
  balanceOf,
  beneficiaryBody,
  createFixture,
  newMobile,
  ok,
  type Parties,
  partOf,
  senderBody,
  senderOf,
  sendTransfer,
} from "./testing/flow.ts";
import { keeper, messenger, THEIR_OTP } from "./testing/keeper.ts";

let fixture: ServiceFixture;
let acme: QueryConnector;
let best: QueryConnector;
let courier: ReturnType<typeof messenger>;
let closed: ReturnType<typeof messenger>;
let payout: ReturnType<typeof messenger>;
let client: Client;
beforeEach(async () => {
  [acme, best, courier] = [keeper("acme"), keeper("best"), messenger()];
  [closed, payout] = [messenger([{ bank: "HDFC", name: "HDFC Bank", status: "down" }]), messenger(null)];
  fixture = await createFixture({ providers: { acme, best, courier, closed, payout } });
  client = await fixture.newClient(10_000);
});
afterEach(async () => {
  vi.restoreAllMocks();
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

/** Routes lead to these providers only, in this order. */
function routeTo(...providers: readonly string[]): void {
  vi.spyOn(fixture.ctx.providerRegistry, "providersFor").mockImplementation(({ accepts = () => true }) => providers.filter(accepts));
}

async function newParties(code: () => string): Promise<Parties> {
  const sender = newMobile();
  const { otp_ref } = await ok(client.signed.post("/transfers/senders", senderBody(sender)));
  await ok(client.signed.post("/transfers/senders/verify", { mobile: sender, otp_ref, otp: code() }));
  const body = await ok(client.signed.post("/transfers/beneficiaries", beneficiaryBody(sender)));
  const beneficiary_id = String(partOf(body, "beneficiary")["beneficiary_id"]);
  await ok(client.signed.post("/transfers/beneficiaries/verify_otp", { beneficiary_id, otp_ref: body["otp_ref"], otp: code() }));
  return { sender, beneficiary_id };
}
const theirs = () => THEIR_OTP;
const ours = () => courier.codes.at(-1) ?? "";

test("a provider that sends our codes takes every step with them, six digits each", async () => {
  routeTo("courier");
  const parties = await newParties(ours);
  const quoted = await ok(askQuote(client, parties));
  expect(await sendTransfer(client, String(quoted["transfer_ref"]), { otp: "4321" })).toMatchObject({ status: 400 });
  await ok(sendTransfer(client, String(quoted["transfer_ref"]), { otp: ours() }));
  for (const code of courier.codes) expect(code).toMatch(/^[0-9]{6}$/);
  expect(courier.sent[0]?.details).not.toHaveProperty("otp");
  const { beneficiary_id } = parties;
  const { otp_ref } = await ok(client.signed.post("/transfers/beneficiaries/delete", { beneficiary_id }));
  await ok(client.signed.post("/transfers/beneficiaries/delete", { beneficiary_id, otp_ref, otp: ours() }));
});

test("a provider that lists no banks reaches every bank", async () => {
  routeTo("payout");
  const code = () => payout.codes.at(-1) ?? "";
  const quoted = await ok(askQuote(client, await newParties(code)));
  await ok(sendTransfer(client, String(quoted["transfer_ref"]), { otp: code() }));
  expect(payout.sent).toHaveLength(1);
  expect(await ok(client.signed.get("/transfers/banks"))).toMatchObject({ items: [] });
});

test("a provider that lists no banks is next for a bank that another one lists, and takes it when that one cannot", async () => {
  routeTo("courier", "payout");
  const parties = await newParties(ours);
  courier.outcome = { kind: "declined", reason: "no", decline: "provider" };
  const quoted = await ok(askQuote(client, parties));
  expect(await ok(sendTransfer(client, String(quoted["transfer_ref"]), { otp: ours() }))).toMatchObject({ status: "SUCCESS" });
  expect([courier.sent.length, payout.sent.length]).toEqual([1, 1]);
  routeTo("closed", "payout");
  expect(await ok(client.signed.get("/transfers/banks"))).toMatchObject({ items: [{ bank: "HDFC", status: "up" }] });
  const again = await ok(askQuote(client, parties));
  await ok(sendTransfer(client, String(again["transfer_ref"]), { otp: payout.codes.at(-1) ?? "" }));
  expect([closed.sent.length, payout.sent.length]).toEqual([0, 2]);
});

test("a transfer goes to the provider that keeps its sender and beneficiary, even if another provider comes first now", async () => {
  routeTo("acme");
  const parties = await newParties(theirs);
  routeTo("best", "acme");
  const quoted = await ok(askQuote(client, parties));
  await ok(sendTransfer(client, String(quoted["transfer_ref"]), { otp: THEIR_OTP }));
  expect([acme.sent.length, best.sent.length]).toEqual([1, 0]);
});

test("a transfer whose code only one provider can check goes to no other", async () => {
  routeTo("acme", "courier");
  const quoted = await ok(askQuote(client, await newParties(theirs)));
  acme.outcome = { kind: "declined", reason: "wrong otp", decline: "provider" };
  expect(await ok(sendTransfer(client, String(quoted["transfer_ref"]), { otp: THEIR_OTP }))).toMatchObject({ status: "FAILED" });
  expect([acme.sent.length, courier.sent.length]).toEqual([1, 0]);
  expect(await balanceOf(client)).toBe("10000.0000");
});

test("with a code of ours the next provider is tried if it needs no registration, and no other", async () => {
  delete acme.table["transfers.send_otp"];
  acme.table["otp.send"] = ({ code }) => {
    courier.codes.push(code);
    return {};
  };
  routeTo("acme", "best", "courier");
  const quoted = await ok(askQuote(client, await newParties(theirs)));
  acme.outcome = { kind: "declined", reason: "no float", decline: "float" };
  expect(await ok(sendTransfer(client, String(quoted["transfer_ref"]), { otp: ours() }))).toMatchObject({ status: "SUCCESS" });
  expect([acme.sent.length, best.sent.length, courier.sent.length]).toEqual([1, 0, 1]);
});

test("a transfer quoted at a provider without registration never goes to one that needs it", async () => {
  routeTo("courier");
  const parties = await newParties(ours);
  routeTo("courier", "acme");
  const quoted = await ok(askQuote(client, parties));
  courier.outcome = { kind: "declined", reason: "no float", decline: "float" };
  expect(await ok(sendTransfer(client, String(quoted["transfer_ref"]), { otp: ours() }))).toMatchObject({ status: "FAILED" });
  expect(acme.sent).toEqual([]);
});

test("at a new provider sender and beneficiary are confirmed again, and keep their records", async () => {
  routeTo("courier");
  const parties = await newParties(ours);
  const { sender: mobile, beneficiary_id } = parties;
  routeTo("best");
  const unverified = { status: 422, body: { error: "sender_not_verified", message: expect.stringContaining("POST /transfers/senders") } };
  expect(await askQuote(client, parties)).toMatchObject(unverified);
  expect(await askQuote(client, parties)).toMatchObject(unverified);
  expect(best.inputsOf("transfers.sender.register")).toHaveLength(1);
  expect(await senderOf(client, mobile)).toMatchObject({ status: "OTP_PENDING" });
  const registered = await ok(client.signed.post("/transfers/senders", senderBody(mobile)));
  expect(best.inputsOf("transfers.sender.register")).toHaveLength(1);
  await ok(client.signed.post("/transfers/senders/verify", { mobile, otp_ref: registered["otp_ref"], otp: THEIR_OTP }));
  expect(await senderOf(client, mobile)).toMatchObject({ status: "VERIFIED" });
  expect(await askQuote(client, parties)).toMatchObject({ status: 422, body: { error: "beneficiary_not_active" } });
  const added = await ok(client.signed.post("/transfers/beneficiaries", beneficiaryBody(mobile)));
  expect(added).toMatchObject({ beneficiary: { beneficiary_id, status: "OTP_PENDING" } });
  expect(best.inputsOf("transfers.beneficiary.add")).toHaveLength(1);
  await ok(client.signed.post("/transfers/beneficiaries/verify_otp", { beneficiary_id, otp_ref: added["otp_ref"], otp: THEIR_OTP }));
  expect(await client.signed.post("/transfers/beneficiaries", beneficiaryBody(mobile))).toMatchObject({ status: 409 });
  const quoted = await ok(askQuote(client, parties));
  await ok(sendTransfer(client, String(quoted["transfer_ref"]), { otp: THEIR_OTP }));
  expect(best.sent[0]?.details).toMatchObject({ beneficiary_ref: "best-ben" });
});

test("a provider that knows sender and beneficiary already registers both, and the client is asked nothing", async () => {
  routeTo("courier");
  const parties = await newParties(ours);
  best.table["transfers.sender.register"] = () => ({ status: "VERIFIED" });
  best.table["transfers.beneficiary.add"] = () => ({ status: "ACTIVE", beneficiary_ref: "known" });
  routeTo("best");
  const quoted = await ok(askQuote(client, parties));
  await ok(sendTransfer(client, String(quoted["transfer_ref"]), { otp: THEIR_OTP }));
  expect(best.sent[0]?.details).toMatchObject({ beneficiary_ref: "known" });
});
