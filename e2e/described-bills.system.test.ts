import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonRecord } from "./harness/operator.ts";
import {
  calledBack,
  type Described,
  expectBalancedBooks,
  newReference,
  orderIdOf,
  QUICK,
  startDescribed,
} from "./harness/providers/described-services.ts";
import type { FakeProvider } from "./harness/providers/fake-provider.ts";
import { query, transaction } from "./harness/providers/fake-provider-description.ts";

// Bills through a description, against a provider that answers over real sockets.

const BILLER = {
  ...{ biller_id: "code", name: "title", category: "kind", flow: { constant: "fetch" }, exactness: { constant: "exact" } },
  params: { list: "inputs", item: { name: "key", label: "label", pattern: "form", example: "sample" } },
};
const BILL = { bill_number: "bill_no", amount: { path: "due_paise", unit: "paise" }, customer_name: "customer", due_date: "due" };
const OPERATIONS = {
  "bills.billers": query("/billers", {}, { billers: { list: "billers", item: BILLER } }),
  "bills.fetch": query(
    "/bills/fetch",
    { biller: "{biller_id}", inputs: { $each: "params", $name: "{item.name}", $value: "{item.value}" }, mobile: "{customer_mobile}" },
    { status: { constant: "found" }, provider_ref: "fetch_id", bills: { list: "bills", item: BILL } },
    { PAID: "no_bill_due" },
  ),
  "bills.pay": transaction("/pay/bill", {
    fetch_id: "{details.fetch_provider_ref}",
    biller: "{operator}",
    inputs: { $each: "details.params", $item: { key: "{item.name}", value: "{item.value}" } },
    paise: "{amount|paise|number}",
    mode: "{details.payment_mode}",
  }),
};

function prepare(provider: FakeProvider): void {
  const inputs = [{ key: "Consumer No", label: "Consumer number", form: "^[0-9]{6}$", sample: "123456" }];
  provider.on("/billers", () => ({ billers: [{ code: "PUNE-WATER", title: "Pune Water", kind: "water", inputs }] }));
  provider.on("/bills/fetch", ({ inputs: given }) => {
    if ((given as JsonRecord)["Consumer No"] === "000000") return { ok: false, code: "PAID", words: "nothing due" };
    return { fetch_id: "FETCH-77", bills: [{ bill_no: "B-1", due_paise: 45_050, customer: "ASHA VERMA", due: "2026-12-01" }] };
  });
}

let described: Described;
beforeAll(async () => {
  described = await startDescribed({ service: "bills", operations: OPERATIONS }, prepare);
});
afterAll(() => described?.close());

const fetchInput = (number: string) => ({
  ...{ requestId: newReference("fetch"), billerId: "PUNE-WATER", customerMobile: "9876543210" },
  params: { "Consumer No": number },
});

async function pay() {
  const { fetchRef } = await described.api.bills.fetch(fetchInput("123456"));
  return { requestId: newReference("pay"), fetchRef, amount: "450.50", paymentMode: "CASH", payerName: "Asha Verma" };
}

test("the provider's billers are listed", async () => {
  expect(await described.api.bills.billers().toArray()).toMatchObject([
    { billerId: "PUNE-WATER", name: "Pune Water", category: "water", params: [{ name: "Consumer No", example: "123456" }] },
  ]);
});

test("a bill is fetched and paid by the provider's own id of the fetch", async () => {
  const before = await described.balance();
  const fetched = await described.api.bills.fetch(fetchInput("123456"));
  expect(fetched).toMatchObject({ status: "SUCCESS", bills: [{ billNumber: "B-1", amount: "450.5000", customerName: "ASHA VERMA" }] });
  const paid = await described.api.bills.pay(await pay());
  expect(paid).toMatchObject({ outcome: "succeeded", bill: { billerName: "Pune Water", bbpsRef: expect.stringMatching(/^77/) } });
  expect(described.first.transactions.at(-1)?.body).toMatchObject({
    ...{ ref: expect.stringMatching(/^[0-9]{10}$/), fetch_id: "FETCH-77", biller: "PUNE-WATER", paise: 45_050, mode: "CASH" },
    inputs: [{ key: "Consumer No", value: "123456" }],
  });
  expect(before - (await described.balance())).toBeCloseTo(450.5, 4);
});

test("no bill due is told to the client as such", async () => {
  await expect(described.api.bills.fetch(fetchInput("000000"))).rejects.toMatchObject({ error: "no_bill_due" });
});

test("a payment whose answer is cut off is found by polling and charged once", async () => {
  const [before, input] = [await described.balance(), await pay()];
  described.first.next("cut");
  expect(await described.api.bills.pay(input)).toMatchObject({ outcome: "pending" });
  expect(await described.api.bills.waitForFinal({ requestId: input.requestId }, QUICK)).toMatchObject({ outcome: "succeeded" });
  expect(before - (await described.balance())).toBeCloseTo(450.5, 4);
  await calledBack(described, input.requestId, "SUCCESS");
});

test("a payment that the provider declines fails, and the money is released", async () => {
  const [before, input] = [await described.balance(), await pay()];
  described.first.next("customer");
  const outcome = await described.api.bills.pay(input);
  expect(outcome).toMatchObject({ outcome: "failed" });
  expect(JSON.stringify(await described.detail(orderIdOf(outcome)))).toContain("/pay/bill");
  expect(await described.balance()).toBe(before);
});

test("the books are balanced", async () => {
  await expectBalancedBooks(described);
});
