import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { defined } from "../../testing/definitions.ts";
import { providerRequest } from "../../testing/requests.ts";
import type { Word } from "../../testing/unruly-server.ts";
import { sampleProvider, TOKEN } from "./sample-provider.ts";

function provider(name: "quickpay" | "rupeelink") {
  const path = fileURLToPath(new URL(`../../../../../../docs/examples/providers/${name}.json`, import.meta.url));
  const definition = defined(JSON.parse(readFileSync(path, "utf8")));
  return sampleProvider({ definition, transaction: "recharge.pay", request: providerRequest({ reference: "REF1" }), secrets: {} });
}

const pay = (ref: string) => `/recharge?token=t&pin=p&opcode=1&number=9876543000&amount=199&ref=${ref}`;

test.each<[Word, string]>([
  ["success", "SUCCESS,REF9,OPREF700001,done"],
  ["failure", "FAILED,REF9,,operator declined"],
  ["pending", "PENDING,REF9,,in process"],
  ["another reference", "SUCCESS,REF7,OPREF700001,done"],
  ["undeclared status", "UNDECLARED,REF9,OPREF700001,done"],
  ["no status", ",REF9,OPREF700001,done"],
])("the word “%s” is the sample for the request that came: %s", (word, body) => {
  const request = { method: "GET", url: pay("REF9"), headers: {}, body: "" };
  expect(provider("quickpay").words(word, request)).toEqual({ status: 200, body });
});

test("values that decide the meaning of JSON are replaced or removed, and the rest stays", () => {
  const { words } = provider("rupeelink");
  const request = {
    method: "GET",
    url: "/v2/transactions/REF9",
    headers: { authorization: "Bearer x", accept: "application/json" },
    body: "",
  };
  const data = (word: Word) => JSON.parse(words(word, request).body).data;
  expect(data("undeclared status")).toEqual({ id: "", client_ref: "REF9", state: "UNDECLARED", operator_txn_id: "OPREF700001" });
  expect(data("no status")).toEqual({ id: "", client_ref: "REF9", operator_txn_id: "OPREF700001" });
  expect(words("not found", request)).toMatchObject({ status: 404 });
});

test("a login is answered with a token, and only requests and status queries count", () => {
  const { words, isPreparation, referencesIn, prepares } = provider("rupeelink");
  const login = { method: "POST", url: "/v2/login", headers: {}, body: JSON.stringify({ client_id: "a", client_secret: "b" }) };
  const asked = {
    method: "GET",
    url: "/v2/transactions/REF9",
    headers: { authorization: "Bearer x", accept: "application/json" },
    body: "",
  };
  expect(JSON.parse(words("success", login).body)).toMatchObject({ access_token: TOKEN });
  expect([login, asked].map(isPreparation)).toEqual([true, false]);
  expect(referencesIn([login, asked])).toEqual(["REF9"]);
  expect(prepares).toBe(true);
});
