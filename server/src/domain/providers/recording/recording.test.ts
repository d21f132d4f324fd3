import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { ProviderSetup } from "../connector-setup.ts";
import { defined } from "../testing/definitions.ts";
import { testEgress } from "../testing/egress.ts";
import { startUnrulyServer } from "../testing/unruly-server.ts";
import { localDescription } from "../twin/local-description.ts";
import { startTwin } from "../twin/start-twin.ts";
import type { Performed } from "./perform.ts";
import { type Finished, startRecording, whyNotRecordable } from "./record.ts";
import { readRecording } from "./recording.ts";
import { replay } from "./replay.ts";

const SECRETS = {
  token: "quick-t0ken-1",
  pin: "p1n-98765",
  client_id: "cl1ent-12345",
  client_secret: "cl1ent-s3cret",
  webhook_key: "h00k-12345",
};

function example(name: "quickpay" | "rupeelink"): JsonObject {
  const path = fileURLToPath(new URL(`../../../../../docs/examples/providers/${name}.json`, import.meta.url));
  return JSON.parse(readFileSync(path, "utf8")) as JsonObject;
}

const ORDER = { reference: "REC000001", operator: "AT", target: "9876543000", amount: "199", circle: null };

/** Records operations at a provider on this machine, as the command does. */
async function recorded(setup: ProviderSetup, operations: readonly Performed[]): Promise<Finished> {
  const session = startRecording(setup, { egress: testEgress(), now: Date.now() });
  onTestFinished(() => session.close());
  for (const operation of operations) await session.perform(operation);
  const { recording, differences } = await session.finish();
  // As it is read from its file.
  const read = readRecording(JSON.parse(JSON.stringify(recording)) as JsonObject);
  if (!read.ok) throw new Error(read.why);
  return { recording: read.recording, differences };
}

async function atTwin(name: "quickpay" | "rupeelink", operations: readonly Performed[]): Promise<Finished> {
  const twin = await startTwin(defined(example(name)), { secrets: SECRETS });
  onTestFinished(() => twin.close());
  const settings = localDescription(example(name), twin.origin);
  return await recorded({ provider: name, connector: "description", settings, secrets: SECRETS }, operations);
}

test.each(["quickpay", "rupeelink"] as const)("a recording of %s is replayed offline with the same requests and outcomes", async (name) => {
  const { recording, differences } = await atTwin(name, [
    { operation: "recharge.pay", part: "send", input: ORDER },
    { operation: "recharge.pay", part: "status", input: ORDER },
  ]);
  expect(differences).toEqual([]);
  expect(recording.operations.map(({ outcome }) => outcome)).toMatchObject([
    { kind: "succeeded", operatorRef: "OP700001" },
    { kind: "succeeded", operatorRef: "OP700001" },
  ]);
  for (const secret of Object.values(SECRETS)) expect(JSON.stringify(recording)).not.toContain(secret);
  expect(JSON.stringify(recording)).not.toContain("twin-");
  expect((await replay(recording)).differences).toEqual([]);
});

test("a changed description is shown by what it sends and reads otherwise", async () => {
  const { recording } = await atTwin("quickpay", [{ operation: "recharge.pay", part: "send", input: ORDER }]);
  const text = JSON.stringify(recording.settings)
    .replace('"number":"{target}"', '"mobile":"{target}"')
    .replace('"0":"SUCCESS"', '"0":"DONE"');
  const settings = JSON.parse(text) as JsonObject;
  const { differences } = await replay(recording, {
    described: { provider: "quickpay", connector: "description", settings: withoutSamples(settings) },
  });
  expect(differences).toMatchObject([
    {
      request: 1,
      expected: expect.arrayContaining([expect.stringContaining("number=9876543000")]),
      found: expect.arrayContaining([expect.stringContaining("mobile=9876543000")]),
    },
    {
      request: null,
      expected: expect.arrayContaining(['  "kind": "succeeded",']),
      found: expect.arrayContaining(['  "kind": "unknown",']),
    },
  ]);
});

function withoutSamples(settings: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(settings, (name, value: unknown) => (name === "samples" ? undefined : value))) as JsonObject;
}

const PAYOUTS: JsonObject = {
  version: 2,
  name: "payouts",
  base_url: "https://payouts.example",
  secrets: ["key"],
  computed: { sign: { kind: "hmac", digest: "sha256", key: "{secret.key}", text: "{request.body}{now|milliseconds}" } },
  headers: { "x-time": "{now|milliseconds}", "x-sum": "{computed.sign}", "x-id": "{unique_id}" },
  read: { format: "json", provider_ref: "id", operator_ref: "utr" },
  operations: {
    "transfers.send": {
      steps: [
        {
          name: "contact",
          request: {
            url: "/contacts",
            body: { json: { to: "{details.account}", name: "{details.beneficiary_name}" } },
          },
          outcome: [{ when: { contact: { is: "present" } }, means: "continue" }],
          save: { id: "contact" },
        },
        {
          name: "pay",
          request: {
            url: "/payouts/{step.contact.id}",
            body: { form: { bank_account: "{details.account}", amt: "{amount}", ref: "{reference}" } },
          },
          outcome: [{ when: { auth_status: "OK" }, means: "success" }],
        },
      ],
      status: { request: { url: "/payouts/{reference}" }, outcome: [{ when: { auth_status: "OK" }, means: "success" }] },
    },
  },
};

test("identities, accounts, signatures and secrets are masked in all places, and the replay still sends what it sent", async () => {
  const server = await startUnrulyServer("success", (_, { url, body }) => {
    const contact = { contact: "501000987654321", holder: "ABCDE1234F", account_no: "87654321", echo: body };
    return {
      status: 200,
      body: JSON.stringify(url === "/contacts" ? contact : { auth_status: "OK", id: "P1", utr: "632112345678", otp: "4711" }),
    };
  });
  onTestFinished(() => server.close());
  const settings = localDescription(PAYOUTS, server.origin);
  const details = { account: "87654321", beneficiary_name: "Asha Rao", ifsc: "HDFC0000001" };
  const { recording, differences } = await recorded(
    { provider: "payouts", connector: "description", settings, secrets: { key: "payout-k3y-1" } },
    [{ operation: "transfers.send", part: "send", input: { ...ORDER, target: "87654321", details } }],
  );
  expect(differences).toEqual([]);
  const text = JSON.stringify(recording);
  for (const secret of ["payout-k3y-1", "87654321", "501000987654321", "ABCDE1234F", "4711"]) expect(text).not.toContain(secret);
  const sums = server.received.map(({ headers }) => String(headers["x-sum"]));
  expect(sums).toHaveLength(2);
  for (const sum of sums) expect(text).not.toContain(sum);
  expect(recording.operations[0]).toMatchObject({
    input: { target: "00004321", details: { account: "00004321", beneficiary_name: "Asha Rao" } },
    outcome: { kind: "succeeded", providerRef: "P1", operatorRef: "632112345678" },
  });
  expect(recording.operations[0]?.exchanges[1]?.request).toContain("bank_account=00004321&amt=199.00&ref=REC000001");
  const { differences: later } = await replay(recording);
  expect(later).toEqual([]);
});

test("a part of a secret is in no recording, and the replay sends the same", async () => {
  const server = await startUnrulyServer("success", () => ({ status: 200, body: JSON.stringify({ auth_status: "OK", id: "P1" }) }));
  onTestFinished(() => server.close());
  const headers = { "x-sum": "{computed.sign}", "x-part": "{secret.key|last:5}", "x-login": "{secret.key|first:3}-{reference}" };
  const settings = localDescription({ ...PAYOUTS, headers }, server.origin);
  const { recording, differences } = await recorded(
    { provider: "payouts", connector: "description", settings, secrets: { key: "payout-k3y-1" } },
    [{ operation: "transfers.send", part: "status", input: ORDER }],
  );
  expect(server.received[0]?.headers).toMatchObject({ "x-part": "k3y-1", "x-login": "pay-REC000001" });
  const text = JSON.stringify(recording);
  for (const part of ["k3y-1", "pay-REC000001"]) expect(text).not.toContain(part);
  expect(differences).toEqual([]);
  expect((await replay(recording)).differences).toEqual([]);
});

test("an answer that never came is replayed as such, for a request and for a query", async () => {
  const server = await startUnrulyServer("hangs up after reading", () => ({ status: 200, body: "" }));
  onTestFinished(() => server.close());
  const settings = localDescription(example("quickpay"), server.origin);
  const { recording, differences } = await recorded({ provider: "quickpay", connector: "description", settings, secrets: SECRETS }, [
    { operation: "recharge.pay", part: "send", input: ORDER },
    { operation: "balance", part: "query", input: {} },
  ]);
  expect(differences).toEqual([]);
  expect(recording.operations.map(({ outcome }) => outcome["kind"])).toEqual(["unknown", "unavailable"]);
  expect(recording.operations[0]?.exchanges[0]?.answer).toMatchObject({ kind: "unknown" });
});

test("encrypted answers and the simulator are not recorded, and a recording of another version is refused", () => {
  const read = { format: "json", decrypt: { cipher: "aes-128-cbc", key: "{secret.key}", iv: "{secret.key}" } };
  const settings = { ...PAYOUTS, read };
  expect(whyNotRecordable({ connector: "simulator", settings: {} }, "recharge.pay")).toContain("nothing to record");
  expect(whyNotRecordable({ connector: "description", settings: PAYOUTS }, "transfers.send")).toBeNull();
  expect(whyNotRecordable({ connector: "description", settings: settings as JsonObject }, "transfers.send")).toContain("encrypted");
  expect(readRecording({ format: "corprail-recording", version: 2 })).toMatchObject({
    ok: false,
    why: expect.stringContaining("version is 2"),
  });
});
