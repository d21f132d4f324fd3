import type { QueryInput } from "@corprail/connector";
import { expect, onTestFinished, test } from "vitest";
import type { Connector } from "../../providers/connector.ts";
import { CASHFREE_WITH_MESSAGES } from "../../providers/shipped/testing/cashfree.ts";
import { RELOADLY } from "../../providers/shipped/testing/reloadly.ts";
import { SETU } from "../../providers/shipped/testing/setu.ts";
import { connectTwin } from "../../providers/shipped/testing/shipped-suite.ts";
import { createServiceFixture, itemsOf } from "../testing/service-fixture.ts";
import { askQuote, beneficiaryBody, newMobile, ok, partOf, senderBody, sendTransfer } from "../transfers/testing/flow.ts";

/** A client of an installation with this provider only. */
async function start(provider: string, connector: Connector) {
  const fixture = await createServiceFixture({ providers: { [provider]: connector } });
  onTestFinished(() => fixture.close());
  return await fixture.newClient(20_000);
}

test("a recharge is carried out through Reloadly", async () => {
  const { twin, connector } = await connectTwin(RELOADLY);
  const client = await start("reloadly", connector);
  expect((await client.recharge("u1")).body).toMatchObject({ status: "SUCCESS", amount: "10" });
  expect(Object.fromEntries(twin.orders()[0]?.found ?? [])).toMatchObject({ "code.operators": "200", amount: "10" });
  expect(twin.orders()).toMatchObject([{ sends: 1 }]);
});

test("a bill is fetched and paid through Setu, in the mode that the biller lists", async () => {
  const { twin, connector } = await connectTwin(SETU);
  const client = await start("setu", connector);
  const [biller] = itemsOf(await client.signed.get("/bills/billers"));
  expect(biller).toMatchObject({ biller_id: "ADIT00000NAT0T", payment_modes: ["Wallet"], max_amount: "49999.0000" });
  const asked = { biller_id: "ADIT00000NAT0T", customer_mobile: "9876543000", params: { "Loan Number": "LN1234567" } };
  const fetched = await ok(client.signed.post("/bills/fetch", { request_id: "f1", ...asked }));
  expect(fetched).toMatchObject({ status: "SUCCESS", bills: [{ amount: "7952.0000", customer_name: "Aiden Anderson" }] });
  const payment = { request_id: "p1", fetch_ref: fetched["fetch_ref"], amount: "7952", payment_mode: "Wallet", payer_name: "Asha Verma" };
  expect(await ok(client.signed.post("/bills/pay", payment))).toMatchObject({ status: "SUCCESS", bill: { bbps_ref: "OP700001" } });
  expect(twin.orders()).toMatchObject([{ sends: 1 }]);
});

test("a sender is verified with our code through the platform's gateway, and Cashfree sends the money", async () => {
  const { twin, connector } = await connectTwin(CASHFREE_WITH_MESSAGES);
  const codes: string[] = [];
  const query: Connector["query"] = (name, input, ...rest) => {
    if (name === "otp.send") codes.push((input as QueryInput<"otp.send">).code);
    return connector.query(name, input, ...rest);
  };
  const client = await start("cashfree", { ...connector, query });
  const otp = () => codes.at(-1) ?? "";
  const sender = newMobile();
  const { otp_ref } = await ok(client.signed.post("/transfers/senders", senderBody(sender)));
  await ok(client.signed.post("/transfers/senders/verify", { mobile: sender, otp_ref, otp: otp() }));
  const added = await ok(client.signed.post("/transfers/beneficiaries", beneficiaryBody(sender)));
  const { beneficiary_id } = partOf(added, "beneficiary");
  await ok(client.signed.post("/transfers/beneficiaries/verify_otp", { beneficiary_id, otp_ref: added["otp_ref"], otp: otp() }));
  const quoted = await ok(askQuote(client, { sender, beneficiary_id: String(beneficiary_id) }));
  expect(await ok(sendTransfer(client, String(quoted["transfer_ref"]), { otp: otp() }))).toMatchObject({ status: "SUCCESS" });
  expect(codes).toHaveLength(3);
  expect(Object.fromEntries(twin.orders()[0]?.found ?? [])).toMatchObject({
    "details.account": "50100123456789",
    "details.ifsc": "HDFC0001234",
  });
});
