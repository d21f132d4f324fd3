import { expect, test } from "vitest";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { answeringProvider } from "./testing/answering-provider.ts";
import { type ShippedSubject, shippedSuite } from "./testing/shipped-suite.ts";

const RECHARGE = { operator: "BT", target: "9412345000", amount: "10", reference: "1234567890" };
const SUBJECT: ShippedSubject = {
  name: "plain-text",
  secrets: { userid: "user-16234215", key: "key-108151623" },
  transactions: { "recharge.pay": RECHARGE },
  queries: {},
};
shippedSuite(SUBJECT);

test("a recharge and its status are sent with the documented parameters and no others", async () => {
  const { connector, heard } = await answeringProvider(SUBJECT, () => ({ body: "FAILED,20" }));
  await connector.send(providerRequest(RECHARGE), NEVER);
  await connector.ask(providerRequest(RECHARGE), NEVER);
  expect(heard).toMatchObject([
    { method: "GET", path: "/api/recharge.php" },
    { method: "GET", path: "/api/rechargestatus_client.php" },
  ]);
  const [recharge, status] = heard.map(({ query }) => Object.fromEntries(query));
  const account = SUBJECT.secrets;
  const order = { operator: "BS", service: "9412345000", amount: "10", orderid: "1234567890" };
  expect(recharge).toEqual({ ...account, ...order, mode: "1", type: "text" });
  expect(status).toEqual({ ...account, servicetype: "1", txn: "1234567890" });
});

test.each([
  ["JL1,SUCCESS,BS,9412345000,10,1234567890,0,OP77,950.50,0.30,2026-01-31", "succeeded"],
  ["JL1,SUCCESS,BS,9412345000,10,OTHER,0,OP77,950.50,0.30,2026-01-31", "unknown"],
  ["JL1,SUCCESS,BS,9412345000,10,1234567890,0,,950.50,0.30,2026-01-31", "unknown"],
  ["JL1,PENDING,BS,9412345000,10,1234567890,0,,950.50,0.30,2026-01-31", "pending"],
  ["JL1,FAILED,BS,9412345000,10,1234567890,21,,950.50,0.30,2026-01-31", "declined"],
  ["FAILED,20", "declined"],
  ["SUCCESS,20", "unknown"],
  ["JL1,SUCCESS", "unknown"],
])("a recharge answered %s is %s", async (body, kind) => {
  const { connector } = await answeringProvider(SUBJECT, () => ({ body }));
  expect((await connector.send(providerRequest(RECHARGE), NEVER)).kind).toBe(kind);
});

test("the provider's id and its balance are kept, and a refusal has neither", async () => {
  const answers = ["JL1,PENDING,BS,9412345000,10,1234567890,0,,950.50,0.30,2026-01-31", "FAILED,20"];
  const { connector } = await answeringProvider(SUBJECT, () => ({ body: answers.shift() }));
  expect(await connector.send(providerRequest(RECHARGE), NEVER)).toMatchObject({ providerRef: "JL1", balance: "950.5" });
  const refused = await connector.send(providerRequest(RECHARGE), NEVER);
  expect(refused).toMatchObject({ kind: "declined", reason: "20" });
  expect(refused).not.toHaveProperty("providerRef");
});

test.each([
  ["SUCCESS,JL1,1234567890,9412345000,10,2026-01-31,0.30,OP77", "succeeded"],
  ["FAILED,JL1,1234567890,9412345000,10,2026-01-31,0.30,", "declined"],
  ["FAILED,JL1,OTHER,9412345000,10,2026-01-31,0.30,", "unknown"],
  // The check itself failed, which says nothing about the recharge.
  ["FAILED,20", "unknown"],
])("a status %s is %s", async (body, kind) => {
  const { connector } = await answeringProvider(SUBJECT, () => ({ body }));
  expect((await connector.ask(providerRequest(RECHARGE), NEVER)).kind).toBe(kind);
});
