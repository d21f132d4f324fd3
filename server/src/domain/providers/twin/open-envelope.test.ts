import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../platform/core/clock.ts";
import { createDescriptionConnector } from "../description/connector.ts";
import { defined } from "../testing/definitions.ts";
import { testEgress } from "../testing/egress.ts";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { localDescription } from "./local-description.ts";
import { startTwin } from "./start-twin.ts";

const SECRETS = { key: "0123456789abcdef", iv: "fedcba9876543210" };
const CIPHERS = {
  "CBC with a fixed vector": { cipher: "aes-128-cbc", iv: "{secret.iv}" },
  "CBC with a vector in front, in hex": { cipher: "aes-128-cbc", iv: "random", output: "HEX" },
  "GCM with a vector in front": { cipher: "aes-128-gcm", iv: "random", output: "base64url" },
} as const;

const ENVELOPE = { json: { body: "{computed.sealed}" } };
const PAID = { state: "PAID", ref: "{reference}", op: "{operator_ref}" };

function sealedDescription(aes: object) {
  return {
    version: 2,
    name: "sealed",
    base_url: "https://api.sealed.example",
    secrets: ["key", "iv"],
    computed: { sealed: { kind: "aes", text: "{request.body}", key: "{secret.key}", ...aes } },
    read: { format: "json", reference: "ref", operator_ref: "op" },
    operations: {
      "bills.pay": {
        request: {
          url: "/pay",
          body: {
            json: {
              ref: "{reference}",
              sum: "{amount}",
              bill: "{details.fetch_provider_ref|json}",
              $each: "details.params",
              $name: "{item.name}",
              $value: "{item.value}",
            },
          },
          envelope: ENVELOPE,
        },
        outcome: [
          { when: { state: "PAID" }, means: "success" },
          { when: { state: "NO" }, means: "declined" },
        ],
        samples: { success: { body: PAID }, declined: { body: { state: "NO" } } },
        status: {
          request: { url: "/status", body: { json: { ref: "{reference}" } }, envelope: ENVELOPE },
          outcome: [
            { when: { state: "PAID" }, means: "success" },
            { when: { state: "BACK" }, means: "reversed" },
            { when: { state: "NONE" }, means: "not_found" },
          ],
          samples: { success: { body: PAID }, reversed: { body: { state: "BACK" } }, not_found: { body: { state: "NONE" } } },
        },
      },
    },
  };
}

async function connected(aes: object, options: Parameters<typeof startTwin>[1] = {}) {
  const settings = JSON.parse(JSON.stringify(sealedDescription(aes)));
  const twin = await startTwin(defined(settings), { secrets: SECRETS, delayMilliseconds: 0, ...options });
  const definition = defined(localDescription(settings, twin.origin));
  const connector = createDescriptionConnector({ definition, secrets: SECRETS, clock: systemClock(), egress: testEgress() });
  onTestFinished(async () => {
    await connector.close();
    await twin.close();
  });
  return { twin, connector };
}

const bill = () =>
  providerRequest({ service: "bills", details: { params: { canumber: "102277100" }, fetch_provider_ref: '{"billAmount":"820.0"}' } });

test.each(Object.entries(CIPHERS))("a body that is encrypted with %s is opened, with the objects and members in it", async (_, aes) => {
  const { twin, connector } = await connected(aes);
  const request = bill();
  expect(await connector.ask(request, NEVER)).toEqual({ kind: "not_found" });
  expect(await connector.send(request, NEVER)).toMatchObject({ kind: "succeeded" });
  expect(await connector.ask(request, NEVER)).toMatchObject({ kind: "succeeded" });
  expect(twin.orders()).toMatchObject([{ reference: request.reference, sends: 1 }]);
  expect(twin.orders()[0]?.found.get("details.fetch_provider_ref")).toBe('{"billAmount":"820.0"}');
});

test("without the secrets the body stays closed, and the request is refused", async () => {
  const { twin, connector } = await connected(CIPHERS["CBC with a fixed vector"], { secrets: {} });
  expect((await connector.send(bill(), NEVER)).kind).toBe("unknown");
  expect(twin.orders()).toEqual([]);
});

test("a declined order is reported as reversed where the provider knows no other failure", async () => {
  const { connector } = await connected(CIPHERS["CBC with a fixed vector"], { answer: "declined" });
  const request = bill();
  expect((await connector.send(request, NEVER)).kind).toBe("declined");
  expect((await connector.ask(request, NEVER)).kind).toBe("reversed");
});
