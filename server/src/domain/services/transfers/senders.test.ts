import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client, ServiceFixture } from "../testing/service-fixture.ts";
import { commonFields } from "../testing/service-fixture.ts";
import {
  createFixture,
  newMobile,
  newParties,
  newSender,
  OTP,
  ok,
  partOf,
  ref,
  refusal,
  refusalOf,
  senderBody,
  senderOf,
  WRONG_OTP,
} from "./testing/flow.ts";

let fixture: ServiceFixture;
let client: Client;
beforeAll(async () => {
  fixture = await createFixture();
  client = await fixture.newClient(10_000);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const SECONDS = 1_000;
const register = (body: Readonly<Record<string, unknown>>) => client.signed.post("/transfers/senders", body);
const verify = (mobile: string, otp_ref: unknown, otp = OTP) => client.signed.post("/transfers/senders/verify", { mobile, otp_ref, otp });
const resend = (mobile: string, otp_ref: unknown) => client.signed.post("/transfers/senders/otp", { mobile, otp_ref });

describe("registering", () => {
  test("a repeat answers the same record, and other details under the same request_id are a duplicate", async () => {
    const body = senderBody(newMobile());
    const first = await ok(register(body));
    expect(await ok(register(body))).toEqual(first);
    const other = await register({ ...body, pincode: "411002" });
    expect(other).toEqual(refusalOf(String(body["request_id"]), 409, "duplicate_reference", 124));
    // The repeat answers how the sender stands by then.
    await ok(verify(String(body["mobile"]), first["otp_ref"]));
    expect(partOf(await ok(register(body)), "sender")).toMatchObject({ status: "VERIFIED" });
  });

  test("a hundred identical requests make one sender with one one-time password", async () => {
    const body = senderBody(newMobile());
    const replies = await Promise.all(Array.from({ length: 100 }, () => ok(register(body))));
    expect(new Set(replies.map((reply) => reply["otp_ref"])).size).toBe(1);
    const [row] = await fixture.orders.database.sql<{ count: number }[]>`
      select count(*)::int as count from one_time_passwords where account_id = ${client.accountId} and subject = ${String(body["mobile"])}`;
    expect(row?.count).toBe(1);
  });

  test("a mobile that waits for its one-time password gets another one after thirty seconds, and the newer details count", async () => {
    const mobile = newMobile();
    const first = await ok(register(senderBody(mobile)));
    const soon = await ok(register(senderBody(mobile, { first_name: "Uma" })));
    expect([soon["otp_ref"], partOf(soon, "sender")["name"]]).toEqual([first["otp_ref"], "Uma Verma"]);
    fixture.orders.clock.advance(30 * SECONDS);
    const second = await ok(register(senderBody(mobile, { first_name: "Usha" })));
    expect(second["otp_ref"]).not.toBe(first["otp_ref"]);
    expect(partOf(second, "sender")).toMatchObject({ name: "Usha Verma", status: "OTP_PENDING" });
    expect(partOf(await ok(verify(mobile, second["otp_ref"])), "sender")).toMatchObject({ status: "VERIFIED" });
  });

  test("a verified mobile is answered as it is: no new one-time password, no new name", async () => {
    const mobile = await newSender(client);
    const again = await ok(register(senderBody(mobile, { first_name: "Usha" })));
    expect(again).toMatchObject({ otp_ref: "", sender: { name: "Asha Verma", status: "VERIFIED" } });
  });

  test("a last name may be left out", async () => {
    const { last_name: _, ...body } = senderBody(newMobile());
    expect(partOf(await ok(register(body)), "sender")).toMatchObject({ name: "Asha" });
  });

  test("two accounts with the same mobile know nothing of each other", async () => {
    const mobile = await newSender(client);
    const other = await fixture.newClient(0);
    expect(await other.signed.get("/transfers/senders", { mobile })).toEqual(refusal(404, "sender_not_found", 4201));
    const theirs = await ok(other.signed.post("/transfers/senders", senderBody(mobile)));
    expect(partOf(theirs, "sender")).toMatchObject({ status: "OTP_PENDING" });
    // Nor does one account's password open anything of the other.
    expect(await verify(mobile, theirs["otp_ref"])).toEqual(refusal(422, "otp_invalid", 4207));
  });
});

describe("verifying", () => {
  test("a sender the provider does not want is blocked, and can neither be added to nor be quoted for", async () => {
    const mobile = "9000000403";
    const { otp_ref } = await ok(register(senderBody(mobile)));
    expect(partOf(await ok(verify(mobile, otp_ref)), "sender")).toMatchObject({ status: "BLOCKED" });
    expect(await ok(register(senderBody(mobile)))).toMatchObject({ otp_ref: "", sender: { status: "BLOCKED" } });
    const body = { request_id: ref(), sender: mobile, name: "Ravi", account: "123456789", ifsc: "SBIN0000001" };
    expect(await client.signed.post("/transfers/beneficiaries", body)).toEqual(
      refusalOf(body.request_id, 422, "sender_not_verified", 4202),
    );
  });

  test("an unknown mobile, and an otp_ref of another sender, are refused", async () => {
    const [mine, other] = [newMobile(), newMobile()];
    const { otp_ref } = await ok(register(senderBody(mine)));
    await ok(register(senderBody(other)));
    expect(await verify(newMobile(), otp_ref)).toEqual(refusal(404, "sender_not_found", 4201));
    expect(await verify(other, otp_ref)).toEqual(refusal(422, "otp_invalid", 4207));
    expect(await verify(mine, "OTP-UNKNOWN")).toEqual(refusal(422, "otp_invalid", 4207));
    expect(await senderOf(client, mine)).toMatchObject({ status: "OTP_PENDING" });
  });

  test("three wrong codes spend the otp_ref: then even the right one is refused", async () => {
    const mobile = newMobile();
    const { otp_ref } = await ok(register(senderBody(mobile)));
    for (let time = 0; time < 3; time++) expect(await verify(mobile, otp_ref, WRONG_OTP)).toEqual(refusal(422, "otp_invalid", 4207));
    expect(await verify(mobile, otp_ref)).toEqual(refusal(422, "otp_attempts_exceeded", 4209));
    expect(await resend(mobile, otp_ref)).toEqual(refusal(422, "otp_attempts_exceeded", 4209));
    const next = await ok(register(senderBody(mobile)));
    await ok(verify(mobile, next["otp_ref"]));
  });

  test("twenty wrong codes at once count as three, whatever their order", async () => {
    const mobile = newMobile();
    const { otp_ref } = await ok(register(senderBody(mobile)));
    const replies = await Promise.all(Array.from({ length: 20 }, () => verify(mobile, otp_ref, WRONG_OTP)));
    const errors = replies.map((reply) => reply.body["error"]);
    expect(errors.filter((error) => error === "otp_invalid")).toHaveLength(3);
    expect(errors.filter((error) => error === "otp_attempts_exceeded")).toHaveLength(17);
  });

  test("a one-time password works once", async () => {
    const mobile = newMobile();
    const { otp_ref } = await ok(register(senderBody(mobile)));
    await ok(verify(mobile, otp_ref));
    expect(await verify(mobile, otp_ref)).toEqual(refusal(422, "otp_invalid", 4207));
    expect(await senderOf(client, mobile)).toMatchObject({ status: "VERIFIED" });
  });

  test("a one-time password holds for five minutes and not a moment longer", async () => {
    const [early, late] = [newMobile(), newMobile()];
    const first = await ok(register(senderBody(early)));
    const second = await ok(register(senderBody(late)));
    fixture.orders.clock.advance(290 * SECONDS);
    await ok(verify(early, first["otp_ref"]));
    fixture.orders.clock.advance(10 * SECONDS);
    expect(await verify(late, second["otp_ref"])).toEqual(refusal(410, "otp_expired", 4208));
  });

  test("codes are kept as digests only", async () => {
    const mobile = newMobile();
    await ok(register(senderBody(mobile)));
    const [row] = await fixture.orders.database.sql<{ text: string; digest: Buffer }[]>`
      select p::text as text, code_digest as digest from one_time_passwords p where account_id = ${client.accountId} and subject = ${mobile}`;
    expect(row?.text).not.toContain(OTP);
    expect(row?.digest).toHaveLength(32);
  });
});

describe("a new one-time password", () => {
  test("can be asked for after thirty seconds, under the same otp_ref, with a new term but no new tries", async () => {
    const mobile = newMobile();
    const { otp_ref } = await ok(register(senderBody(mobile)));
    await verify(mobile, otp_ref, WRONG_OTP);
    expect(await resend(mobile, otp_ref)).toEqual({
      status: 429,
      body: { status: "rejected", error: "rate_limited", code: 123, message: expect.any(String) },
    });
    fixture.orders.clock.advance(30 * SECONDS);
    expect(await ok(resend(mobile, otp_ref))).toEqual({ ...commonFields("transfers"), otp_ref });
    fixture.orders.clock.advance(299 * SECONDS);
    await verify(mobile, otp_ref, WRONG_OTP);
    await ok(verify(mobile, otp_ref));
    expect(await resend(mobile, otp_ref)).toEqual(refusal(422, "otp_invalid", 4207));
  });

  test("revives an otp_ref that has expired", async () => {
    const mobile = newMobile();
    const { otp_ref } = await ok(register(senderBody(mobile)));
    fixture.orders.clock.advance(301 * SECONDS);
    await ok(resend(mobile, otp_ref));
    await ok(verify(mobile, otp_ref));
  });

  test("is not sent to an unregistered mobile, nor for another sender's otp_ref", async () => {
    const mobile = newMobile();
    const { otp_ref } = await ok(register(senderBody(newMobile())));
    expect(await resend(mobile, otp_ref)).toEqual(refusal(404, "sender_not_found", 4201));
    await ok(register(senderBody(mobile)));
    expect(await resend(mobile, otp_ref)).toEqual(refusal(422, "otp_invalid", 4207));
  });

  test("of a beneficiary or a transfer does not verify a sender", async () => {
    const parties = await newParties(client);
    const quoted = await ok(client.signed.post("/transfers/quote", { request_id: ref(), ...parties, amount: "100" }));
    expect(await verify(parties.sender, quoted["transfer_ref"])).toEqual(refusal(422, "otp_invalid", 4207));
  });
});
