import { afterEach, beforeEach, expect, test } from "vitest";
import type { QueryConnector } from "../testing/query-connector.ts";
import type { Client, Json, ServiceFixture } from "../testing/service-fixture.ts";
import {
  askQuote,
  balanceOf,
  beneficiaryBody,
  createFixture,
  newMobile,
  ok,
  type Parties,
  partOf,
  ref,
  refusal,
  refusalOf,
  senderBody,
  senderOf,
  sendTransfer,
} from "./testing/flow.ts";
import { keeper, THEIR_OTP } from "./testing/keeper.ts";
import { storedTransferDetails } from "./transactions/stored-details.ts";

let fixture: ServiceFixture;
let acme: QueryConnector;
let client: Client;
beforeEach(async () => {
  acme = keeper("acme");
  fixture = await createFixture({ providers: { acme } });
  client = await fixture.newClient(10_000);
});
afterEach(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const register = (mobile: string, more: Json = {}) => client.signed.post("/transfers/senders", senderBody(mobile, more));
const verify = (mobile: string, otp_ref: unknown, otp = THEIR_OTP) =>
  client.signed.post("/transfers/senders/verify", { mobile, otp_ref, otp });
const activate = (beneficiary_id: unknown, otp_ref: unknown, otp = THEIR_OTP) =>
  client.signed.post("/transfers/beneficiaries/verify_otp", { beneficiary_id, otp_ref, otp });

async function newSender(mobile = newMobile()): Promise<string> {
  const { otp_ref } = await ok(register(mobile));
  await ok(verify(mobile, otp_ref));
  return mobile;
}

async function newParties(sender?: string): Promise<Parties> {
  const known = sender ?? (await newSender());
  const body = await ok(client.signed.post("/transfers/beneficiaries", beneficiaryBody(known)));
  const beneficiary_id = String(partOf(body, "beneficiary")["beneficiary_id"]);
  await ok(activate(beneficiary_id, body["otp_ref"]));
  return { sender: known, beneficiary_id };
}

test("every step of a transfer takes the provider's codes, and the transfer passes the last one on with the provider's ids", async () => {
  const parties = await newParties();
  const quoted = await ok(askQuote(client, parties));
  const sent = await ok(sendTransfer(client, String(quoted["transfer_ref"]), { otp: THEIR_OTP, request_id: "t" }));
  expect(sent).toMatchObject({ status: "SUCCESS", transfer: { utr: "UTR000000001" } });
  expect(acme.sent.map(({ details }) => details)).toMatchObject([
    { otp: THEIR_OTP, otp_ref: "acme-3", beneficiary_ref: "acme-ben", sender_mobile: parties.sender, sender_name: "Asha Verma" },
  ]);
  expect(acme.inputsOf("transfers.send_otp")).toMatchObject([{ reference: quoted["transfer_ref"], beneficiary_ref: "acme-ben" }]);
  const again = await ok(sendTransfer(client, String(quoted["transfer_ref"]), { otp: THEIR_OTP, request_id: "t" }));
  expect(again["order_id"]).toBe(sent["order_id"]);
  const order = { accountId: client.accountId, orderId: String(sent["order_id"]), operation: "", provider: "acme" };
  expect(await storedTransferDetails(fixture.ctx.sql, order)).toEqual({
    ...{ mode: "IMPS", ifsc: "HDFC0001234", account_masked: "XXXXXXXXXX6789", beneficiary_name: "Ravi Kumar" },
    ...{ beneficiary_ref: "acme-ben", sender_mobile: parties.sender },
  });
});

test("clients never see the provider's reference, and neither it nor a code of theirs has a digest", async () => {
  const { otp_ref } = await ok(register(newMobile()));
  expect(String(otp_ref)).toMatch(/^OTP/);
  const rows = await fixture.ctx.sql`
    select minted_by, code_digest, provider, provider_otp_ref, code_length from one_time_passwords where otp_ref = ${String(otp_ref)}`;
  expect([...rows]).toEqual([{ minted_by: "provider", code_digest: null, provider: "acme", provider_otp_ref: "acme-1", code_length: 4 }]);
});

test("three wrong codes at the provider invalidate the reference, and then the provider is not asked again", async () => {
  const mobile = newMobile();
  const { otp_ref } = await ok(register(mobile));
  for (let tried = 0; tried < 3; tried++) expect(await verify(mobile, otp_ref, "0000")).toEqual(refusal(422, "otp_invalid", 4207));
  expect(await verify(mobile, otp_ref)).toEqual(refusal(422, "otp_attempts_exceeded", 4209));
  expect(acme.inputsOf("transfers.sender.verify")).toHaveLength(3);
  expect(await senderOf(client, mobile)).toMatchObject({ status: "OTP_PENDING" });
});

test("guesses that come at once reach the provider three times at most", async () => {
  const mobile = newMobile();
  const { otp_ref } = await ok(register(mobile));
  await Promise.all(Array.from({ length: 12 }, (_, place) => verify(mobile, otp_ref, String(place).padStart(4, "0"))));
  expect(acme.inputsOf("transfers.sender.verify")).toHaveLength(3);
});

test("a code of another length is the usual 400, except where the provider's has that length; six digits are then wrong", async () => {
  const mobile = newMobile();
  const { otp_ref } = await ok(register(mobile));
  const fields = { otp: "must be six digits" };
  expect(await verify(mobile, otp_ref, "12345")).toEqual(refusal(400, "invalid_request", 120, { fields }));
  expect(await verify(mobile, "unknown")).toEqual(refusal(400, "invalid_request", 120, { fields }));
  expect(await verify(mobile, otp_ref, "111000")).toEqual(refusal(422, "otp_invalid", 4207));
  expect(acme.inputsOf("transfers.sender.verify")).toEqual([]);
  await ok(verify(mobile, otp_ref));
});

test("a code expires after five minutes, or when the provider says so", async () => {
  const [mobile, other] = [newMobile(), newMobile()];
  const [first, second] = [await ok(register(mobile)), await ok(register(other))];
  acme.table["transfers.sender.verify"] = () => ({ refused: "otp_expired" });
  for (let tried = 0; tried < 4; tried++) expect(await verify(mobile, first["otp_ref"])).toEqual(refusal(410, "otp_expired", 4208));
  expect(acme.inputsOf("transfers.sender.verify")).toHaveLength(1);
  fixture.orders.clock.advance(5 * 60 * 1000);
  expect(await verify(other, second["otp_ref"])).toEqual(refusal(410, "otp_expired", 4208));
  expect(acme.inputsOf("transfers.sender.verify")).toHaveLength(1);
});

test("a provider that does not answer is 503, counts no attempt and leaves every code usable", async () => {
  const mobile = newMobile();
  const { table } = acme;
  const { "transfers.sender.register": registering, "transfers.sender.verify": verifying } = table;
  table["transfers.sender.register"] = () => "unavailable";
  expect(await register(mobile, { request_id: "r" })).toEqual(refusalOf("r", 503, "busy", 140));
  expect(await client.signed.get("/transfers/senders", { mobile })).toMatchObject({ status: 404 });
  if (registering) table["transfers.sender.register"] = registering;
  const { otp_ref } = await ok(register(mobile, { request_id: "r" }));
  table["transfers.sender.verify"] = () => "unavailable";
  for (let tried = 0; tried < 4; tried++) expect(await verify(mobile, otp_ref)).toEqual(refusal(503, "busy", 140));
  if (verifying) table["transfers.sender.verify"] = verifying;
  await ok(verify(mobile, otp_ref));
  const { "transfers.beneficiary.add": adding, "transfers.beneficiary.verify": activating, "transfers.send_otp": sending } = table;
  const body = beneficiaryBody(mobile);
  table["transfers.beneficiary.add"] = () => "unavailable";
  expect(await client.signed.post("/transfers/beneficiaries", body)).toMatchObject({ status: 503 });
  if (adding) table["transfers.beneficiary.add"] = adding;
  const added = await ok(client.signed.post("/transfers/beneficiaries", body));
  const beneficiary_id = String(partOf(added, "beneficiary")["beneficiary_id"]);
  table["transfers.beneficiary.verify"] = () => "unavailable";
  for (let tried = 0; tried < 4; tried++) expect(await activate(beneficiary_id, added["otp_ref"])).toMatchObject({ status: 503 });
  if (activating) table["transfers.beneficiary.verify"] = activating;
  await ok(activate(beneficiary_id, added["otp_ref"]));
  table["transfers.send_otp"] = () => "unavailable";
  expect(await askQuote(client, { sender: mobile, beneficiary_id }, { request_id: "q" })).toMatchObject({ status: 503 });
  if (sending) table["transfers.send_otp"] = sending;
  await ok(askQuote(client, { sender: mobile, beneficiary_id }, { request_id: "q" }));
});

test("a code is sent again after thirty seconds under the same reference of ours, with the provider's new one", async () => {
  const mobile = newMobile();
  const { otp_ref } = await ok(register(mobile));
  const resend = () => client.signed.post("/transfers/senders/otp", { mobile, otp_ref });
  expect(await verify(mobile, otp_ref, "0000")).toMatchObject({ status: 422 });
  expect(await resend()).toMatchObject({ status: 429 });
  fixture.orders.clock.advance(30_000);
  const { "transfers.sender.resend_otp": resending } = acme.table;
  acme.table["transfers.sender.resend_otp"] = () => "unavailable";
  expect(await resend()).toMatchObject({ status: 503 });
  if (resending) acme.table["transfers.sender.resend_otp"] = resending;
  expect(await ok(resend())).toMatchObject({ otp_ref });
  expect(await resend()).toMatchObject({ status: 429 });
  expect(acme.inputsOf("transfers.sender.resend_otp")).toMatchObject([{ otp_ref: "acme-1" }, { otp_ref: "acme-1" }]);
  for (let tried = 0; tried < 2; tried++) expect(await verify(mobile, otp_ref, "0000")).toMatchObject({ status: 422 });
  expect(await verify(mobile, otp_ref)).toMatchObject({ body: { error: "otp_attempts_exceeded" } });
  expect(acme.inputsOf("transfers.sender.verify").at(-1)).toMatchObject({ otp_ref: "acme-2" });
});

test("a provider without an operation for it sends a code again by registering again", async () => {
  const mobile = newMobile();
  const { otp_ref } = await ok(register(mobile));
  delete acme.table["transfers.sender.resend_otp"];
  fixture.orders.clock.advance(30_000);
  await ok(client.signed.post("/transfers/senders/otp", { mobile, otp_ref }));
  expect(acme.inputsOf("transfers.sender.register")).toHaveLength(2);
  await ok(verify(mobile, otp_ref));
  expect(acme.inputsOf("transfers.sender.verify")).toMatchObject([{ otp_ref: "acme-2" }]);
});

test("a sender whom the provider blocks is BLOCKED, whether it says so at once or after the code", async () => {
  const [mobile, other] = [newMobile(), newMobile()];
  const { otp_ref } = await ok(register(mobile));
  acme.table["transfers.sender.verify"] = () => ({ refused: "blocked" });
  expect(await ok(verify(mobile, otp_ref))).toMatchObject({ sender: { status: "BLOCKED" } });
  acme.table["transfers.sender.register"] = () => ({ status: "BLOCKED" });
  expect(await ok(register(other))).toMatchObject({ sender: { status: "BLOCKED" }, otp_ref: "" });
});

test("a sender whom the provider knows needs no code, and one whose details it refuses is not created", async () => {
  const [mobile, other] = [newMobile(), newMobile()];
  acme.table["transfers.sender.register"] = () => ({ status: "VERIFIED" });
  expect(await ok(register(mobile))).toMatchObject({ sender: { status: "VERIFIED" }, otp_ref: "" });
  acme.table["transfers.sender.register"] = () => ({ refused: undefined });
  expect(await register(other, { request_id: "r" })).toEqual(refusalOf("r", 422, "sender_not_verified", 4202));
  expect(await client.signed.get("/transfers/senders", { mobile: other })).toMatchObject({ status: 404 });
});

test("a code that the provider finds wrong when it sends makes the transfer FAILED, with the money back", async () => {
  const quoted = await ok(askQuote(client, await newParties()));
  acme.outcome = { kind: "declined", reason: "wrong otp", failure: "declined" };
  const failed = await ok(sendTransfer(client, String(quoted["transfer_ref"]), { otp: "0000" }));
  expect(failed).toMatchObject({ status: "FAILED", message: "Declined by the operator." });
  expect(await balanceOf(client)).toBe("10000.0000");
  expect(JSON.stringify(failed)).not.toContain("wrong otp");
});

test("a provider that activates a beneficiary at once, and sends no codes of ours, needs none", async () => {
  const sender = await newSender();
  acme.table["transfers.beneficiary.add"] = () => ({ status: "ACTIVE", beneficiary_ref: "at-once" });
  const added = await ok(client.signed.post("/transfers/beneficiaries", beneficiaryBody(sender)));
  expect(added).toMatchObject({ beneficiary: { status: "ACTIVE" }, otp_ref: "" });
  delete acme.table["transfers.send_otp"];
  const parties = { sender, beneficiary_id: String(partOf(added, "beneficiary")["beneficiary_id"]) };
  const quoted = await ok(askQuote(client, parties));
  expect(await sendTransfer(client, String(quoted["transfer_ref"]), { otp: "12345" })).toMatchObject({ status: 400 });
  expect(await ok(sendTransfer(client, String(quoted["transfer_ref"]), { otp: "123456" }))).toMatchObject({ status: "SUCCESS" });
  expect(acme.sent[0]?.details).toMatchObject({ beneficiary_ref: "at-once" });
  expect(acme.sent[0]?.details).not.toHaveProperty("otp");
});

test("a beneficiary that the provider refuses is not created; a sender that it has lost must verify again", async () => {
  const sender = await newSender();
  const add = () => client.signed.post("/transfers/beneficiaries", beneficiaryBody(sender));
  acme.table["transfers.beneficiary.add"] = () => ({ refused: undefined });
  expect(await add()).toMatchObject({ status: 400, body: { error: "invalid_request", fields: { account: expect.any(String) } } });
  acme.table["transfers.beneficiary.add"] = () => ({ refused: "not_found" });
  expect(await add()).toMatchObject({ status: 422, body: { error: "sender_not_verified" } });
  expect((await ok(client.signed.get("/transfers/beneficiaries", { sender })))["items"]).toEqual([]);
});

test("a beneficiary is deleted at the provider too, at once where it sends no codes of ours", async () => {
  const { beneficiary_id } = await newParties();
  const remove = () => client.signed.post("/transfers/beneficiaries/delete", { beneficiary_id });
  acme.table["transfers.beneficiary.delete"] = () => "unavailable";
  expect(await remove()).toMatchObject({ status: 503 });
  acme.table["transfers.beneficiary.delete"] = () => ({});
  expect(await ok(remove())).toMatchObject({ beneficiary: { status: "DELETED" } });
  expect(acme.inputsOf("transfers.beneficiary.delete").at(-1)).toMatchObject({ beneficiary_ref: "acme-ben", account: "50100123456789" });
});

test("a provider that wants its own code for a deletion checks it, and only then the beneficiary is deleted", async () => {
  const { beneficiary_id, sender } = await newParties();
  const remove = (more: Json = {}) => client.signed.post("/transfers/beneficiaries/delete", { beneficiary_id, ...more });
  const status = async () => (await ok(client.signed.get("/transfers/beneficiaries", { sender })))["items"];
  acme.table["transfers.beneficiary.delete"] = ({ otp }) => {
    if (otp === undefined) return { status: "OTP_SENT", otp_ref: "acme-gone", length: 4 };
    return otp === THEIR_OTP ? { status: "DELETED" } : { refused: "otp_invalid" };
  };
  const { otp_ref } = await ok(remove());
  expect(otp_ref).toMatch(/^OTP/);
  expect(await status()).toMatchObject([{ status: "ACTIVE" }]);
  expect(await remove({ otp_ref, otp: "1111" })).toMatchObject({ status: 422, body: { error: "otp_invalid" } });
  expect(await remove({ otp_ref, otp: "123456" })).toMatchObject({ status: 422, body: { error: "otp_invalid" } });
  expect(await status()).toMatchObject([{ status: "ACTIVE" }]);
  expect(await ok(remove({ otp_ref, otp: THEIR_OTP }))).toMatchObject({ beneficiary: { status: "DELETED" } });
  expect(await status()).toMatchObject([{ status: "DELETED" }]);
  const asked = acme.inputsOf("transfers.beneficiary.delete");
  expect(asked.at(-1)).toMatchObject({ beneficiary_ref: "acme-ben", otp: THEIR_OTP, otp_ref: "acme-gone" });
});

test("a deletion whose code the provider could not check can be repeated with the same code", async () => {
  const { beneficiary_id } = await newParties();
  const remove = (more: Json = {}) => client.signed.post("/transfers/beneficiaries/delete", { beneficiary_id, ...more });
  acme.table["transfers.beneficiary.delete"] = () => ({ status: "OTP_SENT", otp_ref: "acme-gone", length: 4 });
  const { otp_ref } = await ok(remove());
  acme.table["transfers.beneficiary.delete"] = () => "unavailable";
  for (let round = 0; round < 4; round++) expect(await remove({ otp_ref, otp: THEIR_OTP })).toMatchObject({ status: 503 });
  acme.table["transfers.beneficiary.delete"] = () => ({});
  expect(await ok(remove({ otp_ref, otp: THEIR_OTP }))).toMatchObject({ beneficiary: { status: "DELETED" } });
});

test("a penny drop gets the provider's ids", async () => {
  const { beneficiary_id, sender } = await newParties();
  await ok(client.signed.post("/transfers/beneficiaries/verify", { request_id: ref(), beneficiary_id }));
  expect(acme.sent[0]?.details).toMatchObject({ beneficiary_ref: "acme-ben", sender_mobile: sender, account: "50100123456789" });
  const [order] = await fixture.ctx.sql<{ order_id: string }[]>`select order_id from transfer_penny_drops`;
  const key = { accountId: client.accountId, orderId: order?.order_id ?? "", operation: "penny_drop", provider: "acme" };
  expect(await storedTransferDetails(fixture.ctx.sql, key)).toMatchObject({ beneficiary_ref: "acme-ben", ifsc: "HDFC0001234" });
});

/** Our writes of one-time passwords fail while it runs, as in a crash after the provider's answer. */
async function withoutWrites<Result>(when: "insert" | "update", run: () => Promise<Result>): Promise<Result> {
  const { owner } = fixture.orders;
  const condition = when === "insert" ? owner`` : owner`when (new.used_at is not null)`;
  await owner`create or replace function fail() returns trigger language plpgsql as 'begin raise exception ''cut off''; end'`;
  await owner`create trigger cut_off before ${owner.unsafe(when)} on one_time_passwords for each row ${condition} execute function fail()`;
  try {
    return await run();
  } finally {
    await owner`drop trigger cut_off on one_time_passwords`;
  }
}

test("a retry completes each step that was cut off between the provider's answer and our write", async () => {
  const mobile = newMobile();
  const cutOff = { status: 500 };
  expect(await withoutWrites("insert", () => register(mobile, { request_id: "r" }))).toMatchObject(cutOff);
  const { otp_ref } = await ok(register(mobile, { request_id: "r" }));
  expect(await withoutWrites("update", () => verify(mobile, otp_ref))).toMatchObject(cutOff);
  expect(await senderOf(client, mobile)).toMatchObject({ status: "OTP_PENDING" });
  expect(await ok(verify(mobile, otp_ref))).toMatchObject({ sender: { status: "VERIFIED" } });
  const body = beneficiaryBody(mobile);
  const add = () => client.signed.post("/transfers/beneficiaries", body);
  expect(await withoutWrites("insert", add)).toMatchObject(cutOff);
  const added = await ok(add());
  const beneficiary_id = String(partOf(added, "beneficiary")["beneficiary_id"]);
  expect(await withoutWrites("update", () => activate(beneficiary_id, added["otp_ref"]))).toMatchObject(cutOff);
  await ok(activate(beneficiary_id, added["otp_ref"]));
  const quote = () => askQuote(client, { sender: mobile, beneficiary_id }, { request_id: "q" });
  expect(await withoutWrites("insert", quote)).toMatchObject(cutOff);
  await ok(quote());
});

test("a provider that takes a code only once finds the sender verified when it is registered again", async () => {
  const mobile = newMobile();
  const { otp_ref } = await ok(register(mobile));
  await withoutWrites("update", () => verify(mobile, otp_ref));
  acme.table["transfers.sender.verify"] = () => ({ refused: "otp_invalid" });
  expect(await verify(mobile, otp_ref)).toMatchObject({ body: { error: "otp_invalid" } });
  fixture.orders.clock.advance(30_000);
  expect(await ok(register(mobile))).toMatchObject({ sender: { status: "VERIFIED" }, otp_ref: "" });
});
