import { expect, onTestFinished, test } from "vitest";
import { PAYSPRINT } from "../../providers/shipped/testing/paysprint.ts";
import { connectTwin } from "../../providers/shipped/testing/shipped-suite.ts";
import { aepsClient, ok } from "../aeps/testing/aeps-client.ts";
import { createServiceFixture, itemsOf, type Json } from "../testing/service-fixture.ts";
import { askQuote, beneficiaryBody, newSender, partOf, sendTransfer } from "../transfers/testing/flow.ts";

/** A client of an installation whose only provider is PaySprint's twin. */
async function start() {
  const { twin, connector } = await connectTwin(PAYSPRINT);
  const fixture = await createServiceFixture({ providers: { paysprint: connector } });
  onTestFinished(() => fixture.close());
  return { twin, client: await fixture.newClient(20_000) };
}

const IN_THEIR_FORM = { reference: expect.stringMatching(/^[0-9]{15}$/), sends: 1 };

test("a recharge and a bill are carried out through PaySprint, with references of its form", async () => {
  const { twin, client } = await start();
  expect((await client.recharge("u1")).body).toMatchObject({ status: "SUCCESS", amount: "10" });
  expect(itemsOf(await client.signed.get("/bills/billers")).map((one) => one["biller_id"])).toEqual(["11", "12"]);
  const asked = { request_id: "f1", biller_id: "11", customer_mobile: "9876543000", params: { canumber: "210462053" } };
  const fetched = await ok(client.signed.post("/bills/fetch", asked));
  expect(fetched["bills"]).toMatchObject([{ amount: "7919.0000", customer_name: "DUMMY NAME" }]);
  const payment = { request_id: "p1", fetch_ref: fetched["fetch_ref"], amount: "7919", payment_mode: "CASH", payer_name: "Asha Verma" };
  expect(await ok(client.signed.post("/bills/pay", payment))).toMatchObject({ status: "SUCCESS" });
  expect(twin.orders()).toMatchObject([IN_THEIR_FORM, IN_THEIR_FORM]);
  expect(JSON.parse(twin.orders()[1]?.found.get("details.fetch_provider_ref") ?? "")).toMatchObject({ cellNumber: "210462053699" });
});

test("a sender is verified with PaySprint's password, a beneficiary needs none, and the money is sent", async () => {
  const { twin, client } = await start();
  const sender = await newSender(client);
  const added = await ok(client.signed.post("/transfers/beneficiaries", beneficiaryBody(sender)));
  expect(added).toMatchObject({ otp_ref: "", beneficiary: { status: "ACTIVE" } });
  const beneficiaryId = String(partOf(added, "beneficiary")["beneficiary_id"]);
  const { transfer_ref } = await ok(askQuote(client, { sender, beneficiary_id: beneficiaryId }));
  expect(await ok(sendTransfer(client, String(transfer_ref)))).toMatchObject({ status: "SUCCESS" });
  expect(twin.orders()).toMatchObject([IN_THEIR_FORM]);
  expect(Object.fromEntries(twin.orders()[0]?.found ?? [])).toMatchObject({
    "details.beneficiary_ref": "900",
    "details.sender_mobile": sender,
    "details.sender_pincode": "411001",
  });
});

test("an outlet is onboarded on PaySprint's page, authenticates, and pays out", async () => {
  const { twin, client } = await start();
  const aeps = await aepsClient(client);
  const outlet = await aeps.ready();
  const known = (await ok(aeps.get("/aeps/outlets", { outlet_id: outlet.outletId })))["outlet"];
  expect(known).toMatchObject({ status: "ACTIVE", onboarding_url: "https://onboarding.paysprint.example/sample" });
  expect((await aeps.withdraw(outlet)).body).toMatchObject({ error: "txn_auth_required" });
  const { auth_ref } = await ok(aeps.authenticate(outlet, { type: "TXN", bank_iin: "607094" }));
  expect(await ok(aeps.withdraw(outlet, { auth_ref }))).toMatchObject({ status: "SUCCESS" });
  const { amount: _, ...enquiry } = aeps.transaction(outlet) as Json & { readonly amount: string };
  expect(await ok(aeps.post("/aeps/mini_statement", enquiry))).toMatchObject({
    status: "SUCCESS",
    aeps: { customer_balance: "24287.4400" },
  });
  expect(twin.orders()).toMatchObject([IN_THEIR_FORM, IN_THEIR_FORM]);
  expect(twin.orders()[0]?.found.get("details.auth_ref")).toBe("15234567890");
});
