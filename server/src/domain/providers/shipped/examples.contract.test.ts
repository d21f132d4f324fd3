import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { descriptionContract } from "./testing/description-contract.ts";

function example(name: string): JsonObject {
  const path = fileURLToPath(new URL(`../../../../../docs/examples/providers/${name}.json`, import.meta.url));
  return JSON.parse(readFileSync(path, "utf8")) as JsonObject;
}

descriptionContract({
  settings: example("quickpay"),
  secrets: { token: "quick-t0ken-1", pin: "p1n-98765" },
  transaction: "recharge.pay",
  request: {},
});

descriptionContract({
  settings: example("rupeelink"),
  secrets: { client_id: "cl1ent-12345", client_secret: "cl1ent-s3cret", webhook_key: "webh00k-12345" },
  transaction: "recharge.pay",
  request: { circle: "DL" },
});

/** Two calls before the payment, XML, amounts in paise, digits as references, callbacks with a signed token. */
const STEPPED: JsonObject = {
  version: 2,
  name: "stepped",
  base_url: "https://api.stepped.example/v1",
  secrets: ["key"],
  amount: "paise",
  reference: { characters: "digits", length: 12, date: "none", prefix: "" },
  headers: { "x-key": "{secret.key}" },
  read: { format: "xml", provider_ref: "r.id", operator_ref: "r.op" },
  operations: {
    "transfers.send": {
      timeout_seconds: 120,
      steps: [
        {
          name: "contact",
          request: { url: "/contacts", body: { form: { kind: "contact", ref: "{reference}", name: "{details.beneficiary_name}" } } },
          outcome: [{ when: { "r.id": { is: "present" } }, means: "continue" }],
          save: { id: "r.id" },
          samples: { continue: { body: "<r><id>{provider_ref}</id></r>" } },
        },
        {
          name: "pay",
          request: { url: "/payouts", body: { xml: "<p><to>{step.contact.id}</to><ref>{reference}</ref><sum>{amount}</sum></p>" } },
          read: { reference: "r.ref" },
          outcome: [
            { when: { "r.state": "PAID" }, means: "success" },
            { when: { "r.state": "NO" }, means: "declined" },
            { when: { $http: 202, "r.state": "LATER" }, means: "pending" },
          ],
          samples: {
            success: { body: "<r><state>PAID</state><ref>{reference}</ref><id>{provider_ref}</id><op>{operator_ref}</op></r>" },
            declined: { body: "<r><state>NO</state><ref>{reference}</ref></r>" },
            pending: { http: 202, body: "<r><state>LATER</state><ref>{reference}</ref></r>" },
          },
        },
      ],
      status: {
        request: { url: "/payouts/{provider_ref}" },
        outcome: [
          { when: { "r.state": "PAID" }, means: "success" },
          { when: { "r.state": "BACK" }, means: "reversed" },
          { when: { $http: 404, "r.state": "NONE" }, means: "not_found" },
        ],
        samples: {
          success: { body: "<r><state>PAID</state><op>{operator_ref}</op></r>" },
          reversed: { body: "<r><state>BACK</state></r>" },
          not_found: { http: 404, body: "<r><state>NONE</state></r>" },
        },
      },
    },
  },
  callbacks: [
    {
      auth: { kind: "jwt", field: "token", secret: "key", algorithm: "HS256" },
      addresses: ["192.0.2.0/24"],
      from: "jwt",
      reference: "ref",
      outcome: [{ when: { state: "PAID" }, means: "success" }],
      samples: { success: { body: { ref: "{reference}", state: "PAID" } } },
    },
    {
      path: "/unsigned",
      auth: { kind: "hint" },
      reference: "ref",
      samples: { ask: { body: { ref: "{reference}" } } },
    },
    {
      path: "/fields",
      auth: { kind: "hash", digest: "sha256", field: "sum", text: "{field.ref}|{field.state}|{secret.key}" },
      reference: "ref",
      outcome: [{ when: { state: "PAID" }, means: "success" }],
      samples: { success: { body: { ref: "{reference}", state: "PAID", sum: "{signature}" } } },
    },
  ],
};

descriptionContract({
  settings: STEPPED,
  secrets: { key: "stepped-k3y-12345" },
  transaction: "transfers.send",
  request: { service: "transfers", target: "123456789000", details: { beneficiary_name: "Asha & Rao" } },
});
