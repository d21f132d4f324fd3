import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { indiaDate, indiaMidnight } from "../../../../platform/core/india-time.ts";
import { commonFields, createServiceFixture, type Json, type ServiceFixture } from "../../testing/service-fixture.ts";
import {
  type AepsClient,
  aepsClient,
  BANK,
  DOWN_BANK,
  newAadhaar,
  type Outlet,
  ok,
  PER_TRANSACTION_BANK,
  PID,
  refusal,
} from "../testing/aeps-client.ts";

let fixture: ServiceFixture;
let client: AepsClient;
beforeAll(async () => {
  fixture = await createServiceFixture();
  client = await aepsClient(await fixture.newClient());
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
const DAILY_REQUIRED = (requestId: unknown) => refusal(403, "daily_auth_required", 4403, requestId);
const TXN_REQUIRED = (requestId: unknown) => refusal(403, "txn_auth_required", 4404, requestId);
const midnight = () => (indiaMidnight(indiaDate(fixture.orders.clock.now())) ?? 0) + DAY;

const txn = async (outlet: Outlet, more: Json = {}) =>
  String((await ok(client.authenticate(outlet, { type: "TXN", bank_iin: PER_TRANSACTION_BANK, ...more })))["auth_ref"]);

describe("the day's authentication", () => {
  test.each(["balance_enquiry", "mini_statement", "cash_withdrawal", "aadhaar_pay"])("is required for %s", async (call) => {
    const outlet = await client.active();
    const sent = client.transaction(outlet);
    expect(await client.post(`/aeps/${call}`, sent)).toEqual(DAILY_REQUIRED(sent["request_id"]));
    await ok(client.authenticate(outlet));
    expect(await ok(client.post(`/aeps/${call}`, sent))).toMatchObject({ status: "SUCCESS", request_id: sent["request_id"] });
  });

  test("holds until the India day ends, and not a moment longer", async () => {
    const outlet = await client.active();
    const reply = await ok(client.authenticate(outlet));
    expect(reply).toEqual({ ...commonFields("aeps"), auth_ref: expect.stringMatching(/^AU[0-9A-Z]{20}$/), valid_until: midnight() / 1000 });
    fixture.orders.clock.advance(midnight() - fixture.orders.clock.now() - 2 * MINUTE);
    await ok(client.withdraw(outlet));
    fixture.orders.clock.advance(2 * MINUTE);
    const sent = client.transaction(outlet);
    expect(await client.post("/aeps/cash_withdrawal", sent)).toEqual(DAILY_REQUIRED(sent["request_id"]));
    await ok(client.authenticate(outlet));
    await ok(client.post("/aeps/cash_withdrawal", sent));
  });

  test("is the owner's: somebody else's number opens nothing", async () => {
    const outlet = await client.active();
    const other = await client.active();
    for (const person of [newAadhaar(), other.owner])
      expect(await client.authenticate(outlet, { aadhaar_enc: client.encrypt(person) })).toEqual(refusal(422, "invalid_aadhaar", 4407));
    const sent = client.transaction(outlet);
    expect(await client.post("/aeps/cash_withdrawal", sent)).toEqual(DAILY_REQUIRED(sent["request_id"]));
  });

  test("ends the tries at ten wrong numbers a day: then the owner's own is answered like any other, until the day ends", async () => {
    const outlet = await client.active();
    const wrong = () => client.authenticate(outlet, { aadhaar_enc: client.encrypt(newAadhaar()) });
    const replies = await Promise.all(Array.from({ length: 9 }, wrong));
    for (const reply of replies) expect(reply.body["message"]).toContain("not that of the outlet's owner");
    await ok(client.authenticate(outlet));
    const last = await Promise.all(Array.from({ length: 5 }, wrong));
    expect(last.filter(({ body }) => String(body["message"]).includes("not that of the outlet's owner"))).toHaveLength(1);
    const refused = await wrong();
    expect(refused).toEqual(refusal(422, "invalid_aadhaar", 4407));
    expect(refused.body["message"]).toContain("Too many");
    expect(await client.authenticate(outlet)).toEqual(refused);
    expect(await client.authenticate(outlet, { pid: "<PidData/>" })).toEqual(refused);
    await ok(client.authenticate(await client.active()));
    fixture.orders.clock.advance(midnight() - fixture.orders.clock.now());
    await ok(client.authenticate(outlet));
  });

  test("of one outlet is not another's", async () => {
    const [one, other] = [await client.ready(), await client.active()];
    const sent = client.transaction({ ...one, outletId: other.outletId });
    expect(await client.post("/aeps/cash_withdrawal", sent)).toEqual(DAILY_REQUIRED(sent["request_id"]));
  });

  test("is refused with a bad finger, another device or a number that is none", async () => {
    const outlet = await client.active();
    expect(await client.authenticate(outlet, { pid: "<PidData/>" })).toEqual(refusal(422, "invalid_pid", 4405));
    const pid = PID.replace("<DeviceInfo ", `<DeviceInfo srno="STOLEN" `);
    expect(await client.authenticate(outlet, { pid })).toEqual(refusal(422, "device_not_registered", 4406));
    expect(await client.authenticate(outlet, { aadhaar_enc: "AAAA" })).toEqual(refusal(422, "invalid_aadhaar", 4407));
  });

  test("needs an outlet that is active", async () => {
    for (const outlet of [await client.registered(), await client.verified()])
      expect(await client.authenticate(outlet)).toEqual(refusal(422, "outlet_not_active", 4402));
  });
});

describe("a transaction's own authentication", () => {
  test("is required by the banks that say so, for what moves money", async () => {
    const outlet = await client.ready();
    const items = (await ok(client.get("/aeps/banks", { limit: "200" })))["items"] as readonly Json[];
    const wanting = items.filter((one) => one["txn_auth_required"]).map((one) => one["bank_iin"]);
    expect(wanting).toContain(PER_TRANSACTION_BANK);
    for (const call of ["cash_withdrawal", "aadhaar_pay"]) {
      const sent = client.transaction(outlet, { bank_iin: PER_TRANSACTION_BANK });
      expect(await client.post(`/aeps/${call}`, sent)).toEqual(TXN_REQUIRED(sent["request_id"]));
      const body = await ok(client.post(`/aeps/${call}`, { ...sent, auth_ref: await txn(outlet) }));
      expect(body).toMatchObject({ status: "SUCCESS", aeps: { bank_name: "Central Bank of India" } });
    }
    for (const call of ["balance_enquiry", "mini_statement"])
      await ok(client.post(`/aeps/${call}`, client.transaction(outlet, { bank_iin: PER_TRANSACTION_BANK })));
  });

  test("holds for five minutes", async () => {
    const outlet = await client.ready();
    const now = fixture.orders.clock.now();
    const reply = await ok(client.authenticate(outlet, { type: "TXN", bank_iin: PER_TRANSACTION_BANK }));
    expect(Number(reply["valid_until"]) * 1000 - now).toBeLessThanOrEqual(5 * MINUTE + 5000);
    expect(Number(reply["valid_until"]) * 1000 - now).toBeGreaterThan(5 * MINUTE - 1000);
    const sent = client.transaction(outlet, { bank_iin: PER_TRANSACTION_BANK, auth_ref: reply["auth_ref"] });
    const next = await txn(outlet);
    // Away from midnight, which would end the day's authentication as well.
    if (midnight() - fixture.orders.clock.now() < 10 * MINUTE) {
      fixture.orders.clock.advance(10 * MINUTE);
      await ok(client.authenticate(outlet));
    } else fixture.orders.clock.advance(5 * MINUTE);
    expect(await client.post("/aeps/cash_withdrawal", sent)).toEqual(TXN_REQUIRED(sent["request_id"]));
    expect(await client.post("/aeps/cash_withdrawal", { ...sent, auth_ref: next })).toEqual(TXN_REQUIRED(sent["request_id"]));
    await ok(client.post("/aeps/cash_withdrawal", { ...sent, auth_ref: await txn(outlet) }));
  });

  test("is used up by one transaction; its retry still gets its result", async () => {
    const outlet = await client.ready();
    const authRef = await txn(outlet);
    const sent = client.transaction(outlet, { bank_iin: PER_TRANSACTION_BANK, auth_ref: authRef });
    const first = await ok(client.post("/aeps/cash_withdrawal", sent));
    expect(await ok(client.post("/aeps/cash_withdrawal", sent))).toMatchObject({ order_id: first["order_id"] });
    const next = client.transaction(outlet, { bank_iin: PER_TRANSACTION_BANK, auth_ref: authRef });
    expect(await client.post("/aeps/cash_withdrawal", next)).toEqual(TXN_REQUIRED(next["request_id"]));
    expect(await client.post("/aeps/aadhaar_pay", next)).toEqual(TXN_REQUIRED(next["request_id"]));
  });

  test("of twenty transactions at once one alone gets it", async () => {
    const outlet = await client.ready();
    const authRef = await txn(outlet);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => client.withdraw(outlet, { bank_iin: PER_TRANSACTION_BANK, auth_ref: authRef })),
    );
    expect(replies.filter(({ body }) => body["status"] === "SUCCESS")).toHaveLength(1);
    expect(replies.filter(({ body }) => body["error"] === "txn_auth_required")).toHaveLength(19);
  });

  test("is good for its outlet, its bank and its person only", async () => {
    const [outlet, other] = [await client.ready(), await client.ready()];
    const customer = newAadhaar();
    const byCustomer = await txn(outlet, { aadhaar_enc: client.encrypt(customer) });
    const cases: readonly (readonly [Outlet, Json])[] = [
      [outlet, { auth_ref: "AU00000000000000000000" }],
      [other, { auth_ref: await txn(outlet) }],
      [outlet, { auth_ref: await txn(outlet, { bank_iin: BANK }) }],
      [outlet, { auth_ref: await txn(outlet), bank_iin: BANK }],
      [outlet, { auth_ref: byCustomer }],
      [outlet, { auth_ref: String((await ok(client.authenticate(outlet)))["auth_ref"]) }],
    ];
    for (const [at, more] of cases) {
      const sent = client.transaction(at, { bank_iin: PER_TRANSACTION_BANK, ...more });
      expect(await client.post("/aeps/cash_withdrawal", sent)).toEqual(TXN_REQUIRED(sent["request_id"]));
    }
    await ok(client.withdraw(outlet, { bank_iin: PER_TRANSACTION_BANK, auth_ref: byCustomer, aadhaar_enc: client.encrypt(customer) }));
  });

  test("may be given where no bank wants it, and then must be good", async () => {
    const outlet = await client.ready();
    const daily = String((await ok(client.authenticate(outlet)))["auth_ref"]);
    for (const auth_ref of [await txn(outlet, { bank_iin: BANK }), daily, daily]) await ok(client.withdraw(outlet, { auth_ref }));
    const sent = client.transaction(outlet, { auth_ref: "AUNONE" });
    expect(await client.post("/aeps/balance_enquiry", sent)).toEqual(TXN_REQUIRED(sent["request_id"]));
  });

  test("needs a bank that is live", async () => {
    const outlet = await client.ready();
    for (const bank_iin of [DOWN_BANK, "999999"])
      expect(await client.authenticate(outlet, { type: "TXN", bank_iin })).toEqual(refusal(422, "bank_not_live", 4408));
  });
});
