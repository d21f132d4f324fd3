import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client, Json, ServiceFixture } from "../testing/service-fixture.ts";
import { balanceOf, createFixture, newParties, refusal } from "./testing/flow.ts";

let fixture: ServiceFixture;
let client: Client;
beforeAll(async () => {
  fixture = await createFixture();
  client = await fixture.newClient(1_000);
  await newParties(client);
});
afterAll(async () => {
  expect(await balanceOf(client)).toBe("1000.0000");
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

type Bounds = { readonly good: string; readonly bad: readonly unknown[]; readonly optional?: true; readonly others?: readonly string[] };

const LONG = "a".repeat(65);
const requestId: Bounds = { good: "R.1:a_b-c", bad: ["", LONG, "a b", "a&b", "a=b", "ä", 1, null, ["a"], {}] };
const mobile: Bounds = {
  good: "9812345678",
  bad: ["", "981234567", "98123456789", "5812345678", "981234567a", " 9812345678", "9812345678\n", 9812345678, null],
};
const name: Bounds = {
  good: "Asha",
  bad: ["", " Asha", "a".repeat(81), "Asha\n", "Asha ", "a\u0007b", 1, null],
  others: ["आशा", "D'Souza & Co. (P)", "A", "Ben #1", "Test_User", "<Asha>"],
};
const record: Bounds = { good: "ABC", bad: ["", LONG, "a b", "ä", 1, null, true] };
const otp: Bounds = { good: "123456", bad: ["", "12345", "1234567", "12345a", "１２３４５６", 123456, null] };
const amount: Bounds = {
  good: "100",
  bad: ["", "0", "0.0000", "00100", "100.", ".5", "100.00000", "-100", "+100", "1e3", "1,000", " 100", "10000000000", 100, null],
};

const POSTS: Readonly<Record<string, Readonly<Record<string, Bounds>>>> = {
  "/transfers/senders": {
    request_id: requestId,
    mobile,
    first_name: name,
    last_name: { ...name, optional: true },
    pincode: { good: "411001", bad: ["", "011001", "41100", "4110011", "41100a", 411001, null] },
    consent: { good: "Y", bad: ["", "N", "y", "Yes", true, null] },
  },
  "/transfers/senders/verify": { mobile, otp_ref: record, otp },
  "/transfers/senders/otp": { mobile, otp_ref: record },
  "/transfers/beneficiaries": {
    request_id: requestId,
    sender: mobile,
    name,
    account: {
      good: "123456789",
      bad: ["", "12345678", "1".repeat(19), "12345678a", "1234 56789", 123456789, null],
      others: ["0".repeat(18)],
    },
    ifsc: {
      good: "HDFC0001234",
      bad: ["", "hdfc0001234", "HDFC1001234", "HDF00001234", "HDFC000123", "HDFC00012345", "HDFC0-01234", 1, null],
    },
    mobile: { ...mobile, optional: true },
  },
  "/transfers/beneficiaries/verify_otp": { beneficiary_id: record, otp_ref: record, otp },
  "/transfers/beneficiaries/verify": { request_id: requestId, beneficiary_id: record },
  "/transfers/beneficiaries/delete": { beneficiary_id: record, otp_ref: record, otp },
  "/transfers/quote": {
    request_id: requestId,
    sender: mobile,
    beneficiary_id: record,
    amount,
    mode: { good: "IMPS", bad: ["", "imps", "RTGS", 1, null], optional: true, others: ["NEFT"] },
  },
  "/transfers": { request_id: requestId, transfer_ref: record, otp },
};

describe.each(Object.entries(POSTS))("POST %s", (path, fields) => {
  const good: Json = Object.fromEntries(Object.entries(fields).map(([field, bounds]) => [field, bounds.good]));
  const without = (field: string): Json => Object.fromEntries(Object.entries(good).filter(([other]) => other !== field));
  const invalid = async (body: Json, field: string) => {
    const reply = await client.signed.post(path, body);
    const { request_id } = body;
    const known = typeof request_id === "string" && /^[A-Za-z0-9._:-]{1,64}$/.test(request_id);
    const echoed = known && "request_id" in fields ? { request_id, urid: request_id } : {};
    expect(reply, JSON.stringify(body)).toEqual(
      refusal(400, "invalid_request", 120, { ...echoed, fields: { [field]: expect.stringMatching(/^\S.*\S$/) } }),
    );
    return (reply.body["fields"] as Json)[field];
  };

  test("every field that is needed is asked for by name", async () => {
    for (const [field, bounds] of Object.entries(fields)) {
      if (bounds.optional) expect((await client.signed.post(path, without(field))).status).not.toBe(400);
      else expect(await invalid(without(field), field)).toBe("is required");
    }
  });

  test("every field outside its bounds is refused by name, and nothing else is", async () => {
    for (const [field, bounds] of Object.entries(fields)) {
      for (const value of bounds.bad) await invalid({ ...good, [field]: value }, field);
      for (const value of [bounds.good, ...(bounds.others ?? [])]) {
        expect((await client.signed.post(path, { ...good, [field]: value })).status).not.toBe(400);
      }
    }
  });

  test("unknown fields are ignored", async () => {
    const [plain, more] = [await client.signed.post(path, good), await client.signed.post(path, { ...good, colour: "red" })];
    expect(more.status).toBe(plain.status);
  });
});

const GETS: readonly (readonly [path: string, query: Record<string, string>, field: string])[] = [
  ["/transfers/senders", {}, "mobile"],
  ["/transfers/senders", { mobile: "123" }, "mobile"],
  ["/transfers/beneficiaries", { sender: "98123456789" }, "sender"],
  ["/transfers/beneficiaries", { sender: "9812345678", limit: "0" }, "limit"],
  ["/transfers/beneficiaries", { sender: "9812345678", limit: "201" }, "limit"],
  ["/transfers/beneficiaries", { sender: "9812345678", after: "x".repeat(201) }, "after"],
  ["/transfers/banks", { limit: "ten" }, "limit"],
  ["/transfers/banks", { after: "nothing" }, "after"],
  ["/transfers", {}, "request_id"],
  ["/transfers", { request_id: "a", order_id: "b" }, "request_id"],
  ["/transfers", { request_id: "a", transfer_ref: "b" }, "request_id"],
  ["/transfers", { order_id: "a", transfer_ref: "b" }, "request_id"],
  ["/transfers", { request_id: "a,b" }, "request_id"],
  ["/transfers", { order_id: LONG }, "order_id"],
  ["/transfers", { transfer_ref: "\0" }, "transfer_ref"],
];
test.each(GETS)("GET %s with %j is refused by the name of %s", async (path, query, field) => {
  const { status, body } = await client.signed.get(path, query);
  expect({ status, error: body["error"], code: body["code"] }).toEqual({ status: 400, error: "invalid_request", code: 120 });
  expect(Object.keys(body["fields"] as Json)).toEqual([field]);
});
