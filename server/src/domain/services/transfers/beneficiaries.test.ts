import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client, Json, ServiceFixture } from "../testing/service-fixture.ts";
import { commonFields } from "../testing/service-fixture.ts";
import {
  askQuote,
  beneficiaryBody,
  createFixture,
  newBeneficiary,
  newMobile,
  newSender,
  OTP,
  ok,
  partOf,
  refusal,
  refusalOf,
  senderBody,
  WRONG_OTP,
} from "./testing/flow.ts";

let fixture: ServiceFixture;
let client: Client;
let sender: string;
beforeAll(async () => {
  fixture = await createFixture();
  client = await fixture.newClient(10_000);
  sender = await newSender(client);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const SECONDS = 1_000;
let accounts = 0;
const newAccount = () => `60200${(1_000_000 + ++accounts).toString()}`;
const add = (body: Json) => client.signed.post("/transfers/beneficiaries", body);
const activate = (beneficiary_id: unknown, otp_ref: unknown, otp = OTP) =>
  client.signed.post("/transfers/beneficiaries/verify_otp", { beneficiary_id, otp_ref, otp });
const remove = (beneficiary_id: unknown, more: Json = {}) =>
  client.signed.post("/transfers/beneficiaries/delete", { beneficiary_id, ...more });
const list = async (query: Record<string, string> = {}) =>
  (await ok(client.signed.get("/transfers/beneficiaries", { sender, ...query }))) as { items: readonly Json[]; next: string | null };

describe("adding", () => {
  test("needs a sender who is known and verified", async () => {
    const unknown = beneficiaryBody(newMobile());
    expect(await add(unknown)).toEqual(refusalOf(String(unknown["request_id"]), 404, "sender_not_found", 4201));
    const mobile = newMobile();
    await ok(client.signed.post("/transfers/senders", senderBody(mobile)));
    const waiting = beneficiaryBody(mobile);
    expect(await add(waiting)).toEqual(refusalOf(String(waiting["request_id"]), 422, "sender_not_verified", 4202));
  });

  test("a bank that is not in the list is known by its code", async () => {
    const { body } = await add(beneficiaryBody(sender, { ifsc: "ZZZZ0123456" }));
    expect(body).toMatchObject({ ok: true, beneficiary: { bank_name: "ZZZZ", ifsc: "ZZZZ0123456" } });
  });

  test("a repeat answers the same record, and other details are a duplicate, the account number too", async () => {
    const body = beneficiaryBody(sender, { account: newAccount() });
    const first = await ok(add(body));
    expect(await ok(add(body))).toEqual(first);
    for (const more of [{ name: "Somebody" }, { account: newAccount() }, { ifsc: "SBIN0001234" }]) {
      expect(await add({ ...body, ...more })).toEqual(refusalOf(String(body["request_id"]), 409, "duplicate_reference", 124));
    }
  });

  test("the same account of the same sender exists once, until it is deleted", async () => {
    const account = newAccount();
    const beneficiary_id = await newBeneficiary(client, sender, { account });
    const again = beneficiaryBody(sender, { account, name: "Another Name" });
    expect(await add(again)).toEqual(refusalOf(String(again["request_id"]), 409, "beneficiary_exists", 4205));
    // Another branch, another sender: other beneficiaries.
    await ok(add(beneficiaryBody(sender, { account, ifsc: "HDFC0009999" })));
    await ok(add(beneficiaryBody(await newSender(client), { account })));
    const { otp_ref } = await ok(remove(beneficiary_id));
    await ok(remove(beneficiary_id, { otp_ref, otp: OTP }));
    // The refused reference stayed free.
    expect(partOf(await ok(add(again)), "beneficiary")["beneficiary_id"]).not.toBe(beneficiary_id);
  });

  test("thirty requests at once for one account make one beneficiary", async () => {
    const account = newAccount();
    const replies = await Promise.all(Array.from({ length: 30 }, () => add(beneficiaryBody(sender, { account }))));
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, ...Array(29).fill(409)]);
  });

  test("one whose one-time password is spent or expired gets a new one by being added again", async () => {
    for (const spoil of [
      async (id: unknown, otpRef: unknown) => {
        for (let time = 0; time < 3; time++) await activate(id, otpRef, WRONG_OTP);
      },
      async () => fixture.orders.clock.advance(300 * SECONDS),
    ]) {
      const account = newAccount();
      const first = await ok(add(beneficiaryBody(sender, { account })));
      const { beneficiary_id } = partOf(first, "beneficiary");
      const early = beneficiaryBody(sender, { account });
      expect(await add(early)).toEqual(refusalOf(String(early["request_id"]), 409, "beneficiary_exists", 4205));
      await spoil(beneficiary_id, first["otp_ref"]);
      const second = await ok(add(beneficiaryBody(sender, { account, name: "Ravi K Kumar" })));
      expect(partOf(second, "beneficiary")).toMatchObject({ beneficiary_id, name: "Ravi K Kumar", status: "OTP_PENDING" });
      expect(partOf(await ok(activate(beneficiary_id, second["otp_ref"])), "beneficiary")).toMatchObject({ status: "ACTIVE" });
    }
  });
});

describe("activating", () => {
  test("needs the right code: three wrong ones spend it, and five minutes end it", async () => {
    const body = await ok(add(beneficiaryBody(sender, { account: newAccount() })));
    const { beneficiary_id } = partOf(body, "beneficiary");
    for (let time = 0; time < 3; time++) {
      expect(await activate(beneficiary_id, body["otp_ref"], WRONG_OTP)).toEqual(refusal(422, "otp_invalid", 4207));
    }
    expect(await activate(beneficiary_id, body["otp_ref"])).toEqual(refusal(422, "otp_attempts_exceeded", 4209));
    const late = await ok(add(beneficiaryBody(sender, { account: newAccount() })));
    fixture.orders.clock.advance(300 * SECONDS);
    const { beneficiary_id: other } = partOf(late, "beneficiary");
    expect(await activate(other, late["otp_ref"])).toEqual(refusal(410, "otp_expired", 4208));
    // Until then it is not paid to.
    const quote = await askQuote(client, { sender, beneficiary_id: String(other) });
    expect(quote).toMatchObject({ status: 422, body: { error: "beneficiary_not_active", code: 4206 } });
  });

  test("another account's beneficiary is not there", async () => {
    const beneficiary_id = await newBeneficiary(client, sender, { account: newAccount() });
    const other = await fixture.newClient(100);
    const calls: readonly (readonly [string, Json])[] = [
      ["/transfers/beneficiaries/verify_otp", { otp_ref: "OTP1", otp: OTP }],
      ["/transfers/beneficiaries/delete", {}],
      ["/transfers/beneficiaries/verify", { request_id: "theirs" }],
    ];
    for (const [path, more] of calls) {
      const reply = await other.signed.post(path, { beneficiary_id, ...more });
      expect(reply).toMatchObject({ status: 404, body: { ok: false, error: "beneficiary_not_found", code: 4204, order_id: "" } });
    }
    expect(await other.signed.get("/transfers/beneficiaries", { sender })).toEqual(refusal(404, "sender_not_found", 4201));
    expect((await other.signed.get("/transfers/beneficiaries")).body).toEqual({ ok: true, items: [], next: null });
    expect((await client.signed.get("/transfers/beneficiaries")).body["items"]).not.toEqual([]);
    // A sender of the same account has no part in it either.
    const neighbour = await newSender(client);
    expect(await askQuote(client, { sender: neighbour, beneficiary_id })).toMatchObject({
      status: 404,
      body: { error: "beneficiary_not_found", code: 4204 },
    });
  });
});

describe("deleting", () => {
  test("takes two calls, the second with the one-time password of the first", async () => {
    const beneficiary_id = await newBeneficiary(client, sender, { account: newAccount() });
    const first = await ok(remove(beneficiary_id));
    expect(first).toEqual({ ...commonFields("transfers"), otp_ref: expect.stringMatching(/^\S+$/) });
    const { otp_ref } = first;
    expect(await remove(beneficiary_id, { otp_ref, otp: WRONG_OTP })).toEqual(refusal(422, "otp_invalid", 4207));
    expect(await remove(beneficiary_id, { otp_ref: "OTP-UNKNOWN", otp: OTP })).toEqual(refusal(422, "otp_invalid", 4207));
    const second = await ok(remove(beneficiary_id, { otp_ref, otp: OTP }));
    expect(second).toEqual({ ...commonFields("transfers"), beneficiary: expect.objectContaining({ status: "DELETED" }) });
    for (const more of [{}, { otp_ref, otp: OTP }]) {
      expect(await remove(beneficiary_id, more)).toEqual(refusal(422, "beneficiary_not_active", 4206));
    }
    expect(await askQuote(client, { sender, beneficiary_id })).toMatchObject({ status: 422, body: { error: "beneficiary_not_active" } });
  });

  test("three wrong codes spend its one-time password, and five minutes end it", async () => {
    const beneficiary_id = await newBeneficiary(client, sender, { account: newAccount() });
    const { otp_ref } = await ok(remove(beneficiary_id));
    for (let time = 0; time < 3; time++) await remove(beneficiary_id, { otp_ref, otp: WRONG_OTP });
    expect(await remove(beneficiary_id, { otp_ref, otp: OTP })).toEqual(refusal(422, "otp_attempts_exceeded", 4209));
    const next = await ok(remove(beneficiary_id));
    fixture.orders.clock.advance(300 * SECONDS);
    expect(await remove(beneficiary_id, { otp_ref: next["otp_ref"], otp: OTP })).toEqual(refusal(410, "otp_expired", 4208));
  });

  test("one that was never active has nothing to delete", async () => {
    const { beneficiary } = await ok(add(beneficiaryBody(sender, { account: newAccount() })));
    expect(await remove((beneficiary as Json)["beneficiary_id"])).toEqual(refusal(422, "beneficiary_not_active", 4206));
  });

  test("ten deletions at once with one code delete once", async () => {
    const beneficiary_id = await newBeneficiary(client, sender, { account: newAccount() });
    const { otp_ref } = await ok(remove(beneficiary_id));
    const replies = await Promise.all(Array.from({ length: 10 }, () => remove(beneficiary_id, { otp_ref, otp: OTP })));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
  });
});

describe("the list", () => {
  test("shows every beneficiary once, newest first, deleted ones included, in pages of any size", async () => {
    const all = (await list({ limit: "200" })).items;
    const ids = all.map((one) => String(one["beneficiary_id"]));
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(new Set(all.map((one) => one["status"]))).toEqual(new Set(["OTP_PENDING", "ACTIVE", "DELETED"]));
    const paged: Json[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list({ limit: "3", ...(next ? { after: next } : {}) });
      expect(page.items.length).toBeLessThanOrEqual(3);
      paged.push(...page.items);
      next = page.next;
      // What is added meanwhile comes before the first page, and so in none of the later ones.
      if (paged.length === 3) await newBeneficiary(client, sender, { account: newAccount() });
    }
    expect(paged).toEqual(all);
  });

  test("another list's cursor is refused", async () => {
    expect(await client.signed.get("/transfers/beneficiaries", { sender, after: "bm90IG1pbmU" })).toEqual(
      refusal(400, "invalid_request", 120, { fields: { after: expect.any(String) } }),
    );
  });
});
