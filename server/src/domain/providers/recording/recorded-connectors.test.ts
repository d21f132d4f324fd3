import { createHmac, generateKeyPairSync, randomBytes } from "node:crypto";
import { defineConnector } from "@corprail/connector";
import { checkPlugin } from "@corprail/connector/host";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { ProviderSetup } from "../connector-setup.ts";
import { usePlugins } from "../plugin/loaded-plugins.ts";
import { testEgress } from "../testing/egress.ts";
import { type Received, startUnrulyServer } from "../testing/unruly-server.ts";
import type { Performed } from "./perform.ts";
import { startRecording } from "./record.ts";
import { replay } from "./replay.ts";

const ORDER = { reference: "REC000001", operator: "AT", target: "9876543000", amount: "199", circle: null };
const PAY: Performed = { operation: "recharge.pay", part: "send", input: ORDER };

async function serving(answer: (request: Received) => object) {
  const server = await startUnrulyServer("success", (_, request) => ({ status: 200, body: JSON.stringify(answer(request)) }));
  onTestFinished(() => server.close());
  return server;
}

async function recorded(setup: ProviderSetup, ...operations: readonly Performed[]) {
  const session = startRecording(setup, { egress: testEgress(), now: Date.now() });
  onTestFinished(() => session.close());
  const outcomes: JsonObject[] = [];
  for (const operation of operations) outcomes.push(await session.perform(operation));
  return { ...(await session.finish()), outcomes };
}

const OF_CORPRAIL = { token: "tok_live_rec0rded", signing_secret: "sig_rec0rded", callback_secret: "cbk_rec0rded" };

function corprailReply({ url, body }: Received): object {
  if (url.endsWith("/aeps/key")) {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    return { public_key_pem: publicKey.export({ type: "spki", format: "pem" }), algorithm: "RSA-OAEP-SHA256" };
  }
  const { urid, request_id: requestId } = JSON.parse(body || "{}");
  const service = url.includes("aeps") ? "aeps" : "recharge";
  const signed = service === "aeps" ? { ok: true, error: "", request_id: requestId, service, fee: "0.0000" } : {};
  const rest = {
    order_id: "01ORDER00001",
    urid: urid ?? requestId,
    operator_ref: "OP1",
    amount: "199.0000",
    account: "1",
    balance: "1.0000",
    message: "Done.",
  };
  return { status: "SUCCESS", code: 0, ...rest, ...signed };
}

test("a conversation with another Corprail is replayed, with its nonces, and without token and signature", async () => {
  const server = await serving(corprailReply);
  const settings = { base_url: server.origin, plain_http: true };
  const setup: ProviderSetup = { provider: "partner", connector: "corprail", settings, secrets: OF_CORPRAIL };
  const details = {
    agent_code: "OUT1",
    bank_iin: "607094",
    aadhaar: "234567890123",
    pid: "<PidData><Data>MjAxNg==</Data></PidData>",
    latitude: "19",
    longitude: "72",
  };
  const withdrawal: Performed = { operation: "aeps.cash_withdrawal", part: "send", input: { ...ORDER, target: "234567890123", details } };
  const { recording, differences, outcomes } = await recorded(setup, PAY, withdrawal);
  expect(outcomes).toMatchObject([{ kind: "succeeded" }, { kind: "succeeded" }]);
  expect(differences).toEqual([]);
  const text = JSON.stringify(recording);
  const signatures = server.received.map(({ headers }) => String(headers["x-api-signature"]));
  for (const secret of [...Object.values(OF_CORPRAIL), ...signatures, "234567890123", "MjAxNg=="]) expect(text).not.toContain(secret);
  expect(text).toMatch(/x-api-nonce: [0-9a-f]{32}"/);
  expect((await replay(recording)).differences).toEqual([]);
});

/** Logs in, signs with HMAC, and has a token in a field of an ordinary name. */
const plugin = defineConnector({
  ...{ apiVersion: 1, name: "recorded", secrets: ["key"], settings: z.strictObject({ base_url: z.url() }), operations: ["recharge.pay"] },
  origins: ({ base_url }) => [new URL(base_url).origin],
  open: ({ wire, settings, secrets, clock }) => {
    const call = async ({ reference }: { readonly reference: string }) => {
      const login = await wire.fetch({
        operation: "login",
        method: "POST",
        url: `${settings.base_url}/login`,
        body: `{"key":"${secrets.key}"}`,
      });
      if (login.kind !== "answered") return { kind: "not_sent", why: "no login" } as const;
      const { value } = JSON.parse(login.text) as { value: string };
      const sum = createHmac("sha256", secrets.key).update(`${reference}${clock.now()}`).digest("hex");
      const url = `${settings.base_url}/pay?s=${value}&sum=${sum}&ref=${reference}&at=${clock.now()}`;
      const answer = await wire.fetch({ operation: "recharge.pay", method: "GET", url, hide: [value, sum] });
      if (answer.kind !== "answered") return answer;
      return { kind: "succeeded", operatorRef: (JSON.parse(answer.text) as { op: string }).op } as const;
    };
    return { "recharge.pay": { send: call, status: call } };
  },
});

test("a plug-in is recorded and replayed with its secrets, and what it hides is in no file", async () => {
  const checked = checkPlugin(plugin);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  usePlugins([checked.plugin]);
  onTestFinished(() => usePlugins([]));
  const issued = randomBytes(12).toString("hex");
  const server = await serving(({ url }) => (url === "/login" ? { value: issued } : { op: "OP1" }));
  const settings = { plugin: "recorded", settings: { base_url: server.origin } };
  const secrets = { key: "plug1n-k3y-12345" };
  const { recording, differences } = await recorded({ provider: "mine", connector: "plugin", settings, secrets }, PAY);
  expect(differences).toEqual([]);
  expect(recording.operations).toMatchObject([{ outcome: { kind: "succeeded", operatorRef: "OP1" } }]);
  const text = JSON.stringify(recording);
  const sum = new URL(server.received[1]?.url ?? "", "http://x").searchParams.get("sum") ?? "";
  for (const secret of [secrets.key, issued, sum]) expect(text).not.toContain(secret);
  expect((await replay(recording, { secrets })).differences).toEqual([]);
});

test("a token that a login gives under an ordinary name is hidden everywhere and still replayed", async () => {
  const issued = randomBytes(12).toString("hex");
  const server = await serving(({ url }) => (url === "/login" ? { value: issued } : { state: "OK", session: { id: issued }, echo: url }));
  const settings: JsonObject = {
    version: 2,
    name: "tokens",
    base_url: server.origin,
    plain_http: true,
    secrets: ["key", "private"],
    computed: { proof: { kind: "jwt", algorithm: "RS256", key: "{secret.private}", claims: { at: "{now|seconds|number}" } } },
    query: { s: "{token}", at: "{now|iso}", proof: "{computed.proof}", n: "{unique_number}" },
    login: { request: { url: "/login", body: { form: { k: "{secret.key|base64}" } } }, token: "value", lasts_seconds: 600 },
    operations: {
      "recharge.pay": {
        request: { url: "/pay", query: { ref: "{reference}", sum: "{amount}" } },
        outcome: [{ when: { state: "OK" }, means: "success" }],
        status: { request: { url: "/status/{reference}" }, outcome: [{ when: { state: "OK" }, means: "success" }] },
      },
    },
  };
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const secrets = { key: "t0ken-k3y-1", private: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
  const { recording, differences } = await recorded({ provider: "tokens", connector: "description", settings, secrets }, PAY, {
    ...PAY,
    part: "status",
  });
  expect(differences).toEqual([]);
  const text = JSON.stringify(recording);
  const proof = new URL(server.received[1]?.url ?? "", "http://x").searchParams.get("proof") ?? "";
  for (const secret of [secrets.key, Buffer.from(secrets.key).toString("base64"), issued, proof]) expect(text).not.toContain(secret);
  expect((await replay(recording)).differences).toEqual([]);
});

test("a login whose life is masked with its session is replayed with the same number of logins", async () => {
  const server = await serving(({ url }) =>
    url === "/login" ? { session: { token: "t0k3n-of-the-session", ttl: 1800 } } : { state: "OK" },
  );
  const outcome = [{ when: { state: "OK" }, means: "success" }];
  const settings: JsonObject = {
    version: 2,
    name: "lives",
    base_url: server.origin,
    plain_http: true,
    secrets: ["key"],
    query: { s: "{token}" },
    login: { request: { url: "/login", body: { form: { k: "{secret.key}" } } }, token: "session.token", expires_in: "session.ttl" },
    operations: {
      "recharge.pay": {
        request: { url: "/pay", query: { ref: "{reference}" } },
        outcome,
        status: { request: { url: "/status/{reference}" }, outcome },
      },
    },
  };
  const provider = { provider: "lives", connector: "description", settings, secrets: { key: "l1fe-k3y-0001" } } as const;
  const { recording, differences } = await recorded(provider, PAY, { ...PAY, part: "status" });
  expect(differences).toEqual([]);
  expect(recording.operations.map(({ exchanges }) => exchanges.length)).toEqual([2, 1]);
});
