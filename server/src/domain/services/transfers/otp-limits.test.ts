import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { MAX_SENT, MAX_WRONG } from "../signed/otp-limits.ts";
import type { Client, ServiceFixture } from "../testing/service-fixture.ts";
import {
  askQuote,
  beneficiaryBody,
  createFixture,
  newMobile,
  newParties,
  ok,
  type Parties,
  partOf,
  senderBody,
  WRONG_OTP,
} from "./testing/flow.ts";
import { keeper, messenger, THEIR_OTP } from "./testing/keeper.ts";

const HOUR = 60 * 60 * 1000;

let fixture: ServiceFixture;
let client: Client;
const sms = messenger();
beforeAll(async () => {
  fixture = await createFixture({ providers: { sms } });
  client = await fixture.newClient(10_000);
});
beforeEach(() => {
  sms.codes.length = 0;
  fixture.orders.clock.advance(HOUR);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

/** A 429 has the shape of a refusal of credentials. */
const limited = (request_id?: unknown) => ({
  status: 429,
  body: {
    ...{ status: "rejected", error: "rate_limited", code: 123, message: expect.stringContaining("one-time passwords") },
    ...(request_id === undefined ? {} : { request_id, urid: request_id }),
  },
});
const register = (mobile: string, of = client) => of.signed.post("/transfers/senders", senderBody(mobile));
const verify = (mobile: string, otp_ref: unknown, otp: unknown) =>
  client.signed.post("/transfers/senders/verify", { mobile, otp_ref, otp });
const resend = (mobile: string, otp_ref: unknown) => client.signed.post("/transfers/senders/otp", { mobile, otp_ref });
const askToDelete = (beneficiary_id: string) => client.signed.post("/transfers/beneficiaries/delete", { beneficiary_id });

/** A verified sender and an active beneficiary, with the codes that were sent. */
async function confirmedParties(): Promise<Parties> {
  const sender = newMobile();
  const { otp_ref } = await ok(register(sender));
  await ok(verify(sender, otp_ref, sms.codes.at(-1)));
  const added = await ok(client.signed.post("/transfers/beneficiaries", beneficiaryBody(sender)));
  const beneficiary_id = String(partOf(added, "beneficiary")["beneficiary_id"]);
  const body = { beneficiary_id, otp_ref: added["otp_ref"], otp: sms.codes.at(-1) };
  await ok(client.signed.post("/transfers/beneficiaries/verify_otp", body));
  return { sender, beneficiary_id };
}

test("registrations of one mobile within thirty seconds send one message, also at once", async () => {
  const mobile = newMobile();
  const replies = await Promise.all(Array.from({ length: 10 }, () => ok(register(mobile))));
  expect(new Set(replies.map((reply) => reply["otp_ref"])).size).toBe(1);
  expect(sms.codes).toHaveLength(1);
  fixture.orders.clock.advance(30_000);
  expect((await ok(register(mobile)))["otp_ref"]).not.toBe(replies[0]?.["otp_ref"]);
  expect(sms.codes).toHaveLength(2);
});

test("a deletion that is asked for again within thirty seconds sends one message, also at once", async () => {
  const { beneficiary_id } = await confirmedParties();
  sms.codes.length = 0;
  const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => ok(askToDelete(beneficiary_id))));
  for (const other of others) expect(other).toEqual(first);
  expect(sms.codes).toHaveLength(1);
  fixture.orders.clock.advance(30_000);
  expect(await ok(askToDelete(beneficiary_id))).not.toEqual(first);
  await ok(client.signed.post("/transfers/beneficiaries/delete", { beneficiary_id, otp_ref: first?.["otp_ref"], otp: sms.codes[0] }));
});

test("every quote has a password of its own, up to the mobile's limit for an hour, also at once", async () => {
  const parties = await confirmedParties();
  const before = sms.codes.length;
  const replies = await Promise.all(Array.from({ length: MAX_SENT + 20 }, () => askQuote(client, parties, { amount: "100" })));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(MAX_SENT - before);
  expect(sms.codes).toHaveLength(MAX_SENT);
  const refused = replies.find(({ status }) => status !== 200);
  expect(refused).toEqual(limited(refused?.body["request_id"]));
  expect((await register(newMobile())).status).toBe(200);
  const other = await fixture.newClient(0);
  expect((await register(parties.sender, other)).status).toBe(200);
  fixture.orders.clock.advance(HOUR);
  await ok(askQuote(client, parties, { amount: "100" }));
});

test("codes that are sent again count too", async () => {
  const mobile = newMobile();
  const { otp_ref } = await ok(register(mobile));
  for (let sent = 1; sent < MAX_SENT; sent++) {
    fixture.orders.clock.advance(30_000);
    await ok(resend(mobile, otp_ref));
  }
  fixture.orders.clock.advance(30_000);
  expect(await resend(mobile, otp_ref)).toEqual(limited());
  expect(sms.codes).toHaveLength(MAX_SENT);
});

test("codes of several references that are sent again at once do not pass the limit together", async () => {
  const mobile = newMobile();
  const references: unknown[] = [];
  for (let made = 0; made < 5; made++) {
    references.push((await ok(register(mobile)))["otp_ref"]);
    fixture.orders.clock.advance(30_000);
  }
  const others = MAX_SENT - references.length - 1;
  await fixture.orders.database.sql`update one_time_passwords set times_sent = ${others + 1} where otp_ref = ${String(references[0])}`;
  const replies = await Promise.all(references.map((otp_ref) => resend(mobile, otp_ref)));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 429, 429, 429, 429]);
});

test("new references give no end of tries: after so many wrong codes the mobile gets no other for an hour", async () => {
  const mobile = newMobile();
  for (let wrong = 0; wrong < MAX_WRONG; wrong += 3) {
    const { otp_ref } = await ok(register(mobile));
    for (let tried = 0; tried < 3; tried++) expect((await verify(mobile, otp_ref, WRONG_OTP)).body["error"]).toBe("otp_invalid");
  }
  const refused = await register(mobile);
  expect(refused).toEqual(limited(refused.body["request_id"]));
  fixture.orders.clock.advance(HOUR);
  const { otp_ref } = await ok(register(mobile));
  await ok(verify(mobile, otp_ref, sms.codes.at(-1)));
});

test("passwords of a provider have the same limit", async () => {
  const acme = keeper("acme", { "transfers.beneficiary.delete": () => ({ status: "OTP_SENT", otp_ref: "acme-delete", length: 4 }) });
  const other = await createFixture({ providers: { acme } });
  try {
    const { signed } = await other.newClient(10_000);
    const mobile = newMobile();
    const { otp_ref } = await ok(signed.post("/transfers/senders", senderBody(mobile)));
    await ok(signed.post("/transfers/senders/verify", { mobile, otp_ref, otp: THEIR_OTP }));
    const added = await ok(signed.post("/transfers/beneficiaries", beneficiaryBody(mobile)));
    const beneficiary_id = partOf(added, "beneficiary")["beneficiary_id"];
    await ok(signed.post("/transfers/beneficiaries/verify_otp", { beneficiary_id, otp_ref: added["otp_ref"], otp: THEIR_OTP }));
    const deletion = { beneficiary_id };
    const asked = await ok(signed.post("/transfers/beneficiaries/delete", deletion));
    expect(await ok(signed.post("/transfers/beneficiaries/delete", deletion))).toEqual(asked);
    expect(acme.inputsOf("transfers.beneficiary.delete")).toHaveLength(1);
    await other.orders.database.sql`update one_time_passwords set times_sent = ${MAX_SENT} where otp_ref = ${String(otp_ref)}`;
    const quote = { request_id: "q", sender: mobile, beneficiary_id, amount: "100" };
    expect(await signed.post("/transfers/quote", quote)).toEqual(limited("q"));
    expect(acme.inputsOf("transfers.send_otp")).toEqual([]);
  } finally {
    await other.close();
  }
});

test("the limit holds for a provider's own passwords also at once; what it did not send is not counted", async () => {
  let isSending = true;
  const sent = () => (isSending ? { otp_ref: "theirs", length: 4 } : { refused: "unavailable" });
  const own = keeper("own", { "transfers.send_otp": sent, "transfers.sender.resend_otp": sent });
  const other = await createFixture({ providers: { own } });
  try {
    const { signed } = await other.newClient(10_000);
    const mobile = newMobile();
    const { otp_ref } = await ok(signed.post("/transfers/senders", senderBody(mobile)));
    await ok(signed.post("/transfers/senders/verify", { mobile, otp_ref, otp: THEIR_OTP }));
    const added = await ok(signed.post("/transfers/beneficiaries", beneficiaryBody(mobile)));
    const beneficiary_id = partOf(added, "beneficiary")["beneficiary_id"];
    await ok(signed.post("/transfers/beneficiaries/verify_otp", { beneficiary_id, otp_ref: added["otp_ref"], otp: THEIR_OTP }));
    const quotes = (name: string) =>
      Promise.all(
        Array.from({ length: MAX_SENT + 20 }, (_, number) =>
          signed.post("/transfers/quote", { request_id: `${name}${number}`, sender: mobile, beneficiary_id, amount: "100" }),
        ),
      );
    isSending = false;
    const unsent = await quotes("unsent");
    expect(unsent.filter(({ status }) => status === 200)).toEqual([]);
    isSending = true;
    const before = own.inputsOf("transfers.send_otp").length;
    const replies = await quotes("sent");
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(MAX_SENT - 2);
    expect(own.inputsOf("transfers.send_otp").length - before).toBe(MAX_SENT - 2);
    const refused = replies.find(({ status }) => status !== 200);
    expect(refused).toEqual(limited(refused?.body["request_id"]));
  } finally {
    await other.close();
  }
});

test("the simulator sends nothing, so its mobiles have no limit", async () => {
  const simulated = await createFixture();
  try {
    const own = await simulated.newClient(10_000);
    const parties = await newParties(own);
    const replies = await Promise.all(Array.from({ length: MAX_SENT + 20 }, () => askQuote(own, parties, { amount: "100" })));
    expect(new Set(replies.map(({ body }) => body["transfer_ref"])).size).toBe(MAX_SENT + 20);
  } finally {
    await simulated.close();
  }
});
