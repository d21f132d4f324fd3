import { createHmac } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { corprail } from "../../testing/processes.ts";
import { description, providerFiles } from "../../testing/provider-files.ts";

const QUICKPAY = fileURLToPath(new URL("../../../docs/examples/providers/quickpay.json", import.meta.url));
const RUPEELINK = fileURLToPath(new URL("../../../docs/examples/providers/rupeelink.json", import.meta.url));
// A folder and an address that nothing can be done with.
const NO_DATABASE = { CORPRAIL_DATA_DIR: "/nowhere/at/all", CORPRAIL_DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" };

const tryOut = (given: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
  corprail(["provider", "test", ...given], { ...NO_DATABASE, ...variables });

async function tryOutJson(given: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  return JSON.parse((await tryOut([...given, "--json"], variables)).stdout);
}

function sample(folder: string, text: string): string {
  writeFileSync(join(folder, "sample"), text);
  return join(folder, "sample");
}

test("the request is shown without a database and with its secrets masked", async () => {
  const variables = { CORPRAIL_PROVIDER_QUICKPAY_TOKEN: "much-hidden", CORPRAIL_PROVIDER_QUICKPAY_PIN: "also-hidden" };
  const { code, stdout, stderr } = await tryOut([QUICKPAY], variables);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("GET https://api.quickpay.example/recharge?token=___token___&pin=___pin___&opcode=1&number=9876543000");
  expect(stdout).toMatch(/Nothing was sent\.\n$/);
  expect(stdout).not.toContain("hidden");
  expect(stdout).not.toContain("not found");
});

test("secrets that are not found are named by their variables", async () => {
  expect(await tryOutJson([QUICKPAY], { CORPRAIL_PROVIDER_QUICKPAY_PIN: "1" })).toMatchObject({
    ok: true,
    missing: ["CORPRAIL_PROVIDER_QUICKPAY_TOKEN"],
  });
});

test("the request has the target, operator, circle, amount and reference that were asked for", async () => {
  const wishes = ["--target", "9000000001", "--operator", "JO", "--circle", "MH", "--amount", "49.50", "--reference", "R7"];
  const { request } = await tryOutJson([RUPEELINK, ...wishes]);
  expect(JSON.parse(request.body)).toMatchObject({
    client_ref: "R7",
    product: "RJIO",
    subscriber: "9000000001",
    amount_in_paise: 4950,
    circle: "27",
  });
});

test("what a description cannot express is shown as not sent", async () => {
  expect(await tryOutJson([QUICKPAY, "--operator", "XX"])).toMatchObject({
    ok: true,
    request: { not_sent: expect.stringContaining("XX") },
  });
});

test("a sample answer is read field by field, with the outcome and the reason", async () => {
  const { folder, file } = providerFiles(description("acme"));
  const answer = sample(folder, JSON.stringify({ message: "done", data: { ref: "R7", status: "SUCCESS", opid: "OP9" } }));
  expect((await tryOutJson([file, "--answer", answer, "--reference", "R7"])).reading).toEqual({
    outcome: "succeeded",
    because: 'data.status "SUCCESS" means success',
    decline: null,
    client_message: null,
    fields: { operator_ref: "OP9", provider_ref: null, message: "done", reference: "R7", balance: null, cost: null },
    value: null,
  });
  const { stdout } = await tryOut([file, "--answer", answer]);
  expect(stdout).toContain("outcome: unknown\n  because: the answer is about another reference");
});

test("an answer is read for the call and the HTTP status that were named, also without a body", async () => {
  const asked = await tryOutJson([RUPEELINK, "--http-status", "404", "--for", "status"]);
  expect(asked.reading).toMatchObject({ outcome: "not_found", because: '$http "404" means not_found' });
  expect((await tryOutJson([RUPEELINK, "--http-status", "404"])).reading).toMatchObject({ outcome: "unknown" });
});

test("a secret that the provider repeats in a sample answer is not shown", async () => {
  const { folder, file } = providerFiles(description("acme"), "token=sh-much-secret\n");
  const data = { ref: "sh-much-secret", status: "sh-much-secret", opid: "sh-much-secret" };
  const answer = sample(folder, JSON.stringify({ message: "bad token sh-much-secret", data }));
  for (const more of [[], ["--json"]]) {
    const { code, stdout, stderr } = await tryOut([file, "--answer", answer, ...more]);
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain("sh-much-secret");
  }
});

test("every fault of a description is named by its path, and the exit code is 1", async () => {
  const { file } = providerFiles({ ...description("Acme"), colour: 1, amount: "cents", timeouts: { whole_seconds: 0 } });
  const { code, stdout, stderr } = await tryOut([file]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  for (const path of ["name", "colour", "amount", "timeouts.whole_seconds"]) expect(stderr).toMatch(new RegExp(`^ {2}${path}: `, "m"));
  const { ok, faults } = await tryOutJson([file]);
  expect(ok).toBe(false);
  expect(faults.map((fault: { path: string }) => fault.path).sort()).toEqual(["amount", "colour", "name", "timeouts.whole_seconds"]);
});

test.each([
  ["no JSON", "{ nonsense", /The file is not JSON: /],
  ["a key twice", '{"name":"a","name":"b"}', /it has a key twice/],
  ["an unknown connector", { name: "acme", connector: "smtp" }, /connector: Must be one of/],
  ["no name and no address", { connector: "corprail" }, /name: Must be 1 to 32.*\n +base_url: /],
])("a file with %s is refused with the reason", async (_what, content, reason) => {
  const { file } = providerFiles(content);
  expect(await tryOut([file])).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(reason) });
});

test("a missing file, and secrets that others may read, are refused in one line", async () => {
  expect(await tryOut(["/nowhere/acme.json"])).toMatchObject({ code: 1, stderr: "There is no file or folder /nowhere/acme.json.\n" });
  expect(await tryOut([tmpdir()])).toMatchObject({ code: 1, stderr: "The path is a folder. Name a file.\n" });
  const { folder, file } = providerFiles(description("acme"), "token=sh-much-secret\n");
  chmodSync(join(folder, "acme.secrets"), 0o644);
  const { code, stderr } = await tryOut([file]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^.*chmod 600.*\n$/) });
});

test("settings of another connector are checked, and its missing secrets named", async () => {
  const { file } = providerFiles({ name: "acme", connector: "corprail", base_url: "https://upstream.example" });
  expect(await tryOutJson([file], { CORPRAIL_PROVIDER_ACME_TOKEN: "t" })).toEqual({
    ok: true,
    provider: "acme",
    connector: "corprail",
    missing: ["CORPRAIL_PROVIDER_ACME_SIGNING_SECRET"],
  });
  expect(await tryOut([file, "--http-status", "200"])).toMatchObject({ code: 1, stderr: expect.stringContaining("description") });
});

test.each([
  [{ headers: { "X-A": "{AMOUNT}" } }, /headers\.X-A: Has "\{AMOUNT\}"/],
  [{ codes: { circles: { values: { XX: "5" } } } }, /codes\.circles\.values\.XX: /],
])("what would be refused when it is saved is named: %j", async (change, fault) => {
  const { file } = providerFiles({ ...description("acme"), ...change });
  expect(await tryOut([file])).toMatchObject({ code: 1, stderr: expect.stringMatching(fault) });
});

test("a manual's worked signature is proved with its token, time and nonce, and the secrets stay masked", async () => {
  const outcome = [{ when: { s: "OK" }, means: "success" }];
  const callback = { auth: { kind: "hmac", header: "X-Sign", secret: "key", prefix: "v1=" }, reference: "ref", outcome };
  const { file, folder } = providerFiles(
    {
      ...{ version: 2, name: "acme", base_url: "https://a.example", secrets: ["key"], callbacks: [callback] },
      headers: { "x-sign": "{computed.sign}", "x-token": "{token}" },
      computed: {
        sign: { kind: "hmac", digest: "sha256", key: "{secret.key}", text: "{reference}|{now|seconds}|{unique_id}|{token}|{secret.key}" },
      },
      login: { request: { url: "/login", body: { json: { key: "{secret.key}" } } }, token: "token" },
      operations: {
        "recharge.pay": {
          request: { url: "/pay", query: { r: "{reference}" } },
          outcome,
          status: { request: { url: "/status", query: { r: "{reference}" } }, outcome },
        },
      },
    },
    "key=manual-key-1\n",
  );
  const hmac = (text: string) => createHmac("sha256", "manual-key-1").update(text).digest("hex");
  const given = [file, "--computed", "--token", "T-1", "--time", "1700000000", "--nonce", "n-42", "--reference", "R7"];
  const { stdout } = await tryOut(given);
  expect(stdout).toContain("computed.sign, hmac sha256:\n      text: R7|1700000000|n-42|T-1|[hidden]");
  expect(stdout).toContain(`value: ${hmac("R7|1700000000|n-42|T-1|manual-key-1")}`);
  expect(stdout).toContain("x-token: T-1");
  expect(stdout).not.toContain("manual-key-1");
  expect((await tryOut([file, "--token", "T-1"])).stdout).toContain("x-sign: ___sign___");

  const message = JSON.stringify({ ref: "R7", s: "OK" });
  const proofOf = async (signature: string) => {
    const sent = ["--for", "callback", "--answer", sample(folder, message), "--header", `X-Sign: ${signature}`];
    return (await tryOutJson([file, ...sent])).proofs;
  };
  const expected = `v1=${hmac(message)}`;
  expect(await proofOf(expected)).toEqual([
    { path: "callbacks[0]", kind: "hmac sha256", text: message, expected, received: expected, result: "proved" },
  ]);
  expect(await proofOf("v1=00")).toMatchObject([{ expected, received: "v1=00", result: "wrong_key" }]);
});
