import { expect, test } from "vitest";
import { NEVER, providerRequest } from "../../testing/requests.ts";
import { describedProvider } from "../testing/provider.ts";

// An XML envelope with a code, and a JSON payload that a refusal leaves out.
const READ = {
  format: "xml",
  inner: { at: "R.data", format: "json", optional: true },
  message: "$outer.R.msg",
  reference: "ref",
  operator_ref: "rrn",
};
const OUTCOME = [
  { when: { "$outer.R.code": "00", st: "1" }, means: "success" },
  { when: { "$outer.R.code": "21" }, means: "declined" },
];
const described = (read: object) => ({
  read,
  operations: {
    "recharge.pay": {
      request: { url: "/pay", query: { ref: "{reference}", key: "{secret.key}" } },
      outcome: OUTCOME,
      status: { request: { url: "/status", query: { ref: "{reference}" } }, outcome: OUTCOME },
    },
  },
});
const PAYLOAD = (reference: string) => `<data><![CDATA[${JSON.stringify({ ref: reference, st: 1, rrn: "RRN1" })}]]></data>`;

async function answered(body: string, read: object = READ) {
  const { connector } = await describedProvider(described(read), () => ({ body }));
  return await connector.send(providerRequest({ reference: "R1" }), NEVER);
}

test("rules may read the envelope and the document in it", async () => {
  expect(await answered(`<R><code>00</code>${PAYLOAD("R1")}</R>`)).toMatchObject({ kind: "succeeded", operatorRef: "RRN1" });
  expect(await answered(`<R><code>99</code>${PAYLOAD("R1")}</R>`)).toMatchObject({ kind: "unknown" });
  expect(await answered(`<R><code>00</code>${PAYLOAD("R2")}</R>`)).toMatchObject({ kind: "unknown" });
});

test("an envelope without the inner document can decline, and never be a success that must name the order", async () => {
  const refusal = "<R><code>21</code><msg>no dues</msg></R>";
  expect(await answered(refusal)).toMatchObject({ kind: "declined", reason: "no dues" });
  expect(await answered("<R><code>21</code><data/></R>")).toMatchObject({ kind: "declined" });
  expect(await answered("<R><code>00</code></R>")).toMatchObject({ kind: "unknown" });
  const needed = { ...READ, inner: { at: "R.data", format: "json" } };
  expect(await answered(refusal, needed)).toMatchObject({ kind: "unknown" });
});

test("an inner document that cannot be opened decides nothing, and the reason says where it was looked for", async () => {
  expect(await answered("<R><code>21</code><data>{</data></R>")).toMatchObject({
    kind: "unknown",
    why: expect.stringContaining("R.data cannot be opened"),
  });
  const misplaced = { ...READ, inner: { at: "data", format: "json" } };
  expect(await answered(`<R><code>00</code>${PAYLOAD("R1")}</R>`, misplaced)).toMatchObject({
    kind: "unknown",
    why: "the answer has no text at data; at its top it has R",
  });
});

test("one of the customer's parameters of a bill is sent and signed by its name; without it nothing is sent", async () => {
  const bill = (params: Readonly<Record<string, string>>) => ({
    reference: "F1",
    biller_id: "B1",
    params,
    customer_mobile: "9876543210",
    created_at: 0,
    provider_ref: "",
  });
  const { connector, heard } = await describedProvider(
    {
      computed: { sign: { kind: "hash", digest: "md5", text: "{params.consumer_no}|{params.unit?}" } },
      operations: {
        "bills.fetch": {
          request: {
            url: "/fetch",
            headers: { key: "{secret.key}", sign: "{computed.sign}" },
            body: { form: { consumer: "{params.consumer_no}", unit: "{params.unit?}" } },
          },
          value: { status: { constant: "found" } },
        },
      },
    },
    () => ({ body: {} }),
  );
  expect((await connector.query("bills.fetch", bill({ consumer_no: "77" }), NEVER)).kind).toBe("answered");
  expect(await connector.query("bills.fetch", bill({ other: "1" }), NEVER)).toMatchObject({ kind: "unavailable" });
  expect(heard.map(({ body }) => body)).toEqual(["consumer=77"]);
});
