import { expect, test } from "vitest";
import { NEVER, providerRequest } from "../../testing/requests.ts";
import { describedProvider } from "../testing/provider.ts";

const outcome = [{ when: { status: "OK" }, means: "success" }];
const read = { reference: "ref", provider_ref: "id", balance: "wallet", cost: "paid" };
const pay = {
  request: { url: "/pay", body: { json: { ref: "{reference}" } } },
  outcome,
  status: { request: { url: "/status", query: { ref: "{reference}" } }, outcome },
};

test.each(["OK", "QUEUED"])("an answer %s about another order gives this one neither that order's id nor its cost", async (status) => {
  const answer = { status, ref: "OTHER", id: "ID-OF-OTHER", wallet: "500", paid: "98" };
  const { connector } = await describedProvider({ read, operations: { "recharge.pay": pay } }, () => ({ body: answer }));
  const sent = await connector.send(providerRequest(), NEVER);
  expect(sent).toEqual({ kind: "unknown", why: expect.any(String), balance: "500" });
  expect(await connector.ask(providerRequest(), NEVER)).toEqual(sent);
});

test("an undecided answer about this order, or without a reference, tells its id", async () => {
  const request = providerRequest();
  for (const ref of [request.reference, undefined]) {
    const { connector } = await describedProvider({ read, operations: { "recharge.pay": pay } }, () => ({ body: { ref, id: "ID1" } }));
    expect(await connector.send(request, NEVER)).toMatchObject({ kind: "unknown", providerRef: "ID1" });
  }
});
