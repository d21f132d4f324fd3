import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Account } from "../../accounts/account.ts";
import { switchService } from "../../catalog/switch-service.ts";
import type { Client, Json, ServiceFixture } from "../testing/service-fixture.ts";
import { createFixture, newParties, newQuote, newTransfer, ok, refusalOf, sendTransfer } from "./testing/flow.ts";

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterEach(async () => {
  await switchService(fixture.switches, "test", { service: "transfers", enabled: true, opensAt: null, closesAt: null });
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const lookUp = (query: Record<string, string>, who: Client) => who.signed.get("/transfers", query);

type Reason = {
  readonly error: string;
  readonly account?: Partial<Account>;
  readonly switched?: () => Promise<unknown>;
  /** Does it stand against a known reference? */
  readonly stands: boolean;
};
const closed = () => {
  const opens = new Date(fixture.orders.clock.now() + 5.5 * 3_600_000 + 3_600_000).toISOString().slice(11, 16);
  const closes = new Date(fixture.orders.clock.now() + 5.5 * 3_600_000 + 7_200_000).toISOString().slice(11, 16);
  return switchService(fixture.switches, "test", { service: "transfers", opensAt: opens, closesAt: closes });
};
const REASONS: readonly Reason[] = [
  { error: "account_inactive", account: { standing: "inactive" }, stands: true },
  { error: "account_paused", account: { standing: "paused" }, stands: true },
  { error: "kyc_not_verified", account: { kyc: "pending" }, stands: true },
  { error: "agreement_not_signed", account: { agreement: "pending" }, stands: true },
  { error: "service_closed", switched: closed, stands: false },
  { error: "wallet_suspended", account: { wallet: "suspended" }, stands: false },
  { error: "service_off", switched: () => switchService(fixture.switches, "test", { service: "transfers", enabled: false }), stands: true },
  { error: "service_not_enabled", account: { services: new Set(["recharge"]) }, stands: true },
];

describe.each(REASONS)("while $error stands", (reason) => {
  async function underReason() {
    const own = await fixture.newClient(1_000);
    const pair = await newParties(own);
    const used = await newQuote(own, pair, { amount: "100" });
    const before = await ok(sendTransfer(own, used, { request_id: "before" }));
    const transfer_ref = await newQuote(own, pair, { amount: "100" });
    if (reason.account) own.set(reason.account);
    await reason.switched?.();
    return { own, before, used, transfer_ref };
  }
  const restore = (own: Client) => {
    const services = new Set(["recharge", "transfers"]);
    own.set({ standing: "active", kyc: "verified", agreement: "signed", wallet: "active", services });
  };

  test("a new transfer fails with HTTP 200, before anything of it is looked at, and leaves nothing behind", async () => {
    const { own, transfer_ref } = await underReason();
    for (const given of [transfer_ref, "TRF-UNKNOWN"]) {
      expect(await sendTransfer(own, given, { request_id: "new" })).toEqual({
        status: 200,
        body: {
          ok: false,
          status: "failed",
          code: 331,
          order_id: "",
          request_id: "new",
          urid: "new",
          operator_ref: null,
          amount: "",
          account: "",
          balance: null,
          message: expect.any(String),
          error: reason.error,
        },
      });
    }
    restore(own);
    await switchService(fixture.switches, "test", { service: "transfers", enabled: true, opensAt: null, closesAt: null });
    expect(await lookUp({ request_id: "new" }, own)).toMatchObject({ status: 404 });
    expect(await ok(sendTransfer(own, transfer_ref, { request_id: "new" }))).toMatchObject({ status: "SUCCESS", balance: "780.0000" });
  });

  test(`a known reference is ${reason.stands ? "rejected with 403" : "answered with its result"}`, async () => {
    const { own, before, used } = await underReason();
    const retry = await sendTransfer(own, used, { request_id: "before" });
    if (reason.stands) {
      const request = { request_id: "before", urid: "before" };
      expect(retry).toEqual({
        status: 403,
        body: { status: "rejected", error: reason.error, code: 331, message: expect.any(String), ...request },
      });
    } else expect(retry).toEqual({ status: 200, body: before });
  });

  test(`a used transfer_ref under another request_id is never failed: it is ${reason.stands ? "rejected with 403" : "refused as used"}`, async () => {
    const { own, used } = await underReason();
    const request = { request_id: "another", urid: "another" };
    const reply = await sendTransfer(own, used, { request_id: "another" });
    if (reason.stands)
      expect(reply).toMatchObject({ status: 403, body: { status: "rejected", error: reason.error, code: 331, ...request } });
    else expect(reply).toEqual(refusalOf("another", 409, "transfer_ref_used", 4211));
  });
});

describe("not switched on for the account", () => {
  const off = async () => {
    const own = await fixture.newClient(1_000);
    const sent = await newTransfer(own, await newParties(own), { amount: "100" });
    own.set({ services: new Set(["recharge"]) });
    return { own, sent };
  };
  const rejected: Json = { status: "rejected", error: "service_not_enabled", code: 331 };

  test("a lookup that is signed finds what exists; what does not, and what is unsigned, is 403", async () => {
    const { own, sent } = await off();
    const order_id = String(sent["order_id"]);
    expect(await ok(lookUp({ order_id }, own))).toEqual(sent);
    for (const query of [{ order_id: "UNKNOWN00000" }, { request_id: "unknown" }, { transfer_ref: "TRF-UNKNOWN" }] as Record<
      string,
      string
    >[]) {
      expect(await lookUp(query, own)).toMatchObject({ status: 403, body: rejected });
    }
    expect(await own.get("/transfers", { order_id })).toMatchObject({ status: 403, body: rejected });
  });

  test("every other call is 403, signed or not", async () => {
    const { own } = await off();
    for (const path of ["/transfers/banks", "/transfers/senders", "/transfers/beneficiaries"]) {
      expect(await own.signed.get(path)).toMatchObject({ status: 403, body: rejected });
      expect(await own.get(path)).toMatchObject({ status: 403, body: rejected });
    }
    for (const path of POSTS) expect(await own.signed.post(path, {})).toMatchObject({ status: 403, body: rejected });
  });
});

const POSTS = [
  "/transfers/senders",
  "/transfers/senders/verify",
  "/transfers/senders/otp",
  "/transfers/beneficiaries",
  "/transfers/beneficiaries/verify_otp",
  "/transfers/beneficiaries/verify",
  "/transfers/beneficiaries/delete",
  "/transfers/quote",
];

test("the token alone is refused on every call", async () => {
  const client = await fixture.newClient(0);
  for (const path of [...POSTS, "/transfers"]) {
    expect(await client.post(path, { request_id: "x" })).toMatchObject({ status: 401, body: { error: "invalid_signature", code: 113 } });
  }
  for (const path of ["/transfers/banks", "/transfers/senders", "/transfers/beneficiaries", "/transfers"]) {
    expect(await client.get(path)).toMatchObject({ status: 401, body: { error: "invalid_signature", code: 113 } });
  }
});

test("while an account reason stands, every call that is no transaction is 403", async () => {
  const own = await fixture.newClient(100);
  const { sender, beneficiary_id } = await newParties(own);
  own.set({ kyc: "pending" });
  const rejected = { status: 403, body: { status: "rejected", error: "kyc_not_verified", code: 331 } };
  expect(await own.signed.get("/transfers/banks")).toMatchObject(rejected);
  expect(await own.signed.get("/transfers/senders", { mobile: sender })).toMatchObject(rejected);
  expect(await own.signed.post("/transfers/quote", { request_id: "q", sender, beneficiary_id, amount: "100" })).toMatchObject(rejected);
  expect(await own.signed.get("/transfers", { request_id: "q" })).toMatchObject(rejected);
});
