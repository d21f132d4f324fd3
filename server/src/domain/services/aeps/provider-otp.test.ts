import { afterEach, beforeEach, expect, test } from "vitest";
import { type QueryConnector, queryConnector } from "../testing/query-connector.ts";
import { createServiceFixture, type Json, type ServiceFixture } from "../testing/service-fixture.ts";
import { type AepsClient, aepsClient, BANK, ok, PLACE, refusal } from "./testing/aeps-client.ts";
import { storedAepsDetails } from "./transactions/stored-details.ts";

const THEIR_OTP = "4321";

let fixture: ServiceFixture;
let acme: QueryConnector;
let client: AepsClient;
beforeEach(async () => {
  let made = 0;
  acme = queryConnector(["aeps.cash_withdrawal", "aeps.balance_enquiry"], {
    "aeps.banks": () => ({ banks: [{ iin: BANK, name: "State Bank of India" }] }),
    "aeps.outlet.register": () => ({ agent_code: "AG1" }),
    "aeps.authenticate": () => ({}),
    "aeps.outlet.send_otp": () => ({ otp_ref: `acme-${++made}`, length: 4 }),
    "aeps.outlet.verify_otp": ({ otp }) => (otp === THEIR_OTP ? {} : { refused: "otp_invalid" }),
  });
  fixture = await createServiceFixture({ providers: { acme } });
  client = await aepsClient(await fixture.newClient(1_000));
});
afterEach(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const verify = (outlet_id: string, otp_ref: unknown, otp = THEIR_OTP) =>
  client.post("/aeps/outlets/otp_verify", { outlet_id, otp_ref, otp });

test("the outlet's provider sends and checks its own codes, and an outlet without a biometric step becomes active by the usual calls", async () => {
  const outlet = await client.registered();
  const otpRef = await client.sendOtp(outlet.outletId);
  expect(acme.inputsOf("aeps.outlet.send_otp")).toEqual([{ agent_code: "AG1", mobile: "9876500001", ...PLACE }]);
  expect(await ok(verify(outlet.outletId, otpRef))).toMatchObject({ outlet: { status: "BIOMETRIC_PENDING" } });
  expect(acme.inputsOf("aeps.outlet.verify_otp")).toMatchObject([{ agent_code: "AG1", otp: THEIR_OTP, otp_ref: "acme-1" }]);
  expect(await ok(client.biometric(outlet.outletId))).toMatchObject({ outlet: { status: "ACTIVE" } });
  await ok(client.authenticate(outlet));
  const withdrawn = await ok(client.withdraw(outlet));
  expect(withdrawn).toMatchObject({ status: "SUCCESS" });
  const key = { accountId: client.accountId, orderId: String(withdrawn["order_id"]), operator: BANK };
  expect(await storedAepsDetails(fixture.ctx.sql, key)).toEqual({
    ...{ outlet_id: outlet.outletId, agent_code: "AG1", outlet_mobile: "9876500001", bank_iin: BANK },
  });
});

test("three wrong codes spend the reference, an unavailable provider counts none, and other lengths are 400", async () => {
  const { outletId } = await client.registered();
  const otpRef = await client.sendOtp(outletId);
  const { "aeps.outlet.verify_otp": verifying } = acme.table;
  acme.table["aeps.outlet.verify_otp"] = () => "unavailable";
  for (let tried = 0; tried < 4; tried++) expect(await verify(outletId, otpRef)).toEqual(refusal(503, "busy", 140));
  if (verifying) acme.table["aeps.outlet.verify_otp"] = verifying;
  expect(await verify(outletId, otpRef, "12345")).toMatchObject({ status: 400, body: { fields: { otp: "must be six digits" } } });
  for (let tried = 0; tried < 3; tried++) expect(await verify(outletId, otpRef, "0000")).toMatchObject({ body: { error: "otp_invalid" } });
  expect(await verify(outletId, otpRef)).toMatchObject({ body: { error: "otp_attempts_exceeded" } });
  fixture.orders.clock.advance(30_000);
  await ok(verify(outletId, await client.sendOtp(outletId)));
});

test("a code expires after five minutes", async () => {
  const { outletId } = await client.registered();
  const otpRef = await client.sendOtp(outletId);
  fixture.orders.clock.advance(5 * 60 * 1000);
  expect(await verify(outletId, otpRef)).toMatchObject({ status: 410, body: { error: "otp_expired" } });
});

test("a code is sent again after thirty seconds; when the provider does not answer, the last one stays valid", async () => {
  const { outletId } = await client.registered();
  const otpRef = await client.sendOtp(outletId);
  const send = () => client.post("/aeps/outlets/otp", { outlet_id: outletId });
  expect(await send()).toMatchObject({ status: 429 });
  fixture.orders.clock.advance(30_000);
  acme.table["aeps.outlet.send_otp"] = () => "unavailable";
  for (let tried = 0; tried < 2; tried++) expect(await send()).toEqual(refusal(503, "busy", 140));
  await ok(verify(outletId, otpRef));
});

test("an owner who must finish on the provider's page gets its address, until then no code is sent", async () => {
  const onboarding_url = "https://acme.example/kyc/1";
  acme.table["aeps.outlet.register"] = () => ({ agent_code: "AG1", onboarding_url });
  const registered = (await ok(client.post("/aeps/outlets", client.registration())))["outlet"] as Json;
  expect(registered).toMatchObject({ status: "OTP_PENDING", onboarding_url });
  const outlet_id = String(registered["outlet_id"]);
  expect(await ok(client.get("/aeps/outlets", { outlet_id }))).toMatchObject({ outlet: { onboarding_url } });
  const { "aeps.outlet.send_otp": sending } = acme.table;
  acme.table["aeps.outlet.send_otp"] = () => ({ refused: undefined });
  const refused = await client.post("/aeps/outlets/otp", { outlet_id });
  expect(refused).toMatchObject({ status: 422, body: { error: "outlet_not_active", message: expect.stringContaining("onboarding_url") } });
  if (sending) acme.table["aeps.outlet.send_otp"] = sending;
  await ok(verify(outlet_id, await client.sendOtp(outlet_id)));
});

test("an outlet without such a page has no such field", async () => {
  const { outletId } = await client.registered();
  expect((await ok(client.get("/aeps/outlets", { outlet_id: outletId })))["outlet"]).not.toHaveProperty("onboarding_url");
});

test("a provider that sends our codes takes six digits, and one without any code lets the step pass by the same calls", async () => {
  const codes: string[] = [];
  delete acme.table["aeps.outlet.send_otp"];
  acme.table["otp.send"] = ({ code }) => {
    codes.push(code);
    return {};
  };
  const first = await client.registered();
  const otpRef = await client.sendOtp(first.outletId);
  await ok(verify(first.outletId, otpRef, codes[0]));
  delete acme.table["otp.send"];
  const second = await client.registered();
  const unsent = await client.sendOtp(second.outletId);
  expect(await verify(second.outletId, unsent)).toMatchObject({ status: 400 });
  expect(await ok(verify(second.outletId, unsent, "123456"))).toMatchObject({ outlet: { status: "BIOMETRIC_PENDING" } });
  expect([codes.length, acme.inputsOf("aeps.outlet.verify_otp").length]).toEqual([1, 0]);
});

test("the transaction takes the provider's own reference of its authentication along, and never ours", async () => {
  acme.table["aeps.banks"] = () => ({ banks: [{ iin: BANK, name: "State Bank of India", per_transaction: true }] });
  acme.table["aeps.authenticate"] = ({ type }) => ({ auth_ref: `acme-${type}` });
  const outlet = await client.registered();
  await ok(verify(outlet.outletId, await client.sendOtp(outlet.outletId)));
  await ok(client.biometric(outlet.outletId));
  await ok(client.authenticate(outlet));
  expect(await client.withdraw(outlet)).toMatchObject({ status: 403, body: { error: "txn_auth_required" } });
  const { auth_ref } = await ok(client.authenticate(outlet, { type: "TXN", bank_iin: BANK }));
  expect(auth_ref).not.toBe("acme-TXN");
  expect(await ok(client.withdraw(outlet, { auth_ref }))).toMatchObject({ status: "SUCCESS" });
  expect(acme.sent.map(({ details }) => details?.["auth_ref"])).toEqual(["acme-TXN"]);
});
