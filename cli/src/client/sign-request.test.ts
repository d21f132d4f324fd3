import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { SIGNING_SECRET, scratchFolder, standIn, TOKEN } from "../../testing/client.ts";
import { corprail, corprailReading } from "../../testing/processes.ts";

type Vector = {
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[] | readonly { readonly name: string; readonly value: string }[];
  readonly body_hex: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly secret: string;
  readonly string_to_sign: string;
  readonly body_sha256: string;
  readonly signature: string;
};

const { vectors } = JSON.parse(readFileSync(new URL("../../../contract/vectors/request-signing.json", import.meta.url), "utf8")) as {
  readonly vectors: readonly Vector[];
};
// A token in the query is a transport that this program does not offer.
const SIGNABLE = vectors.filter(({ target }) => !/[?&]token=/.test(target));

test("signing gives what the contract's vectors say", async () => {
  expect(SIGNABLE.length).toBeGreaterThan(5);
  const folder = scratchFolder();
  for (const [place, vector] of SIGNABLE.entries()) {
    const body = join(folder, `body-${place}`);
    writeFileSync(body, Buffer.from(vector.body_hex, "hex"));
    const data = vector.method === "POST" ? ["--data", `@${body}`] : [];
    const { code, stdout, stderr } = await corprail(
      ["sign", vector.method, vector.target, ...data, "--timestamp", vector.timestamp, "--nonce", vector.nonce, "--json"],
      { CORPRAIL_SIGNING_SECRET: vector.secret },
    );
    expect({ name: vector.name, code, stderr }).toEqual({ name: vector.name, code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      string_to_sign: vector.string_to_sign,
      body_sha256: vector.body_sha256,
      headers: { "X-Api-Signature": vector.signature },
    });
    expect(stdout).not.toContain(vector.secret);
  }
});

test("the curl line sends exactly what was signed, with the token from the shell's own variable", async () => {
  const service = await standIn(() => ({ status: 200, body: "{}" }));
  const variables = { CORPRAIL_BASE_URL: service.base, CORPRAIL_TOKEN: TOKEN, CORPRAIL_SIGNING_SECRET: SIGNING_SECRET };
  const body = `{"name":"D'Souza & \\"Co\\" $HOME"}`;
  const { stdout } = await corprail(["sign", "POST", "/recharge", "--query", "note=a b+c", "--data", body, "--json"], variables);
  const { curl, headers } = JSON.parse(stdout);
  expect(curl).not.toContain(TOKEN);
  await promisify(execFile)("bash", ["-c", curl], { env: { PATH: process.env["PATH"], CORPRAIL_TOKEN: TOKEN } });
  const [arrived] = service.arrived;
  expect(arrived).toMatchObject({
    method: "POST",
    url: "/api/corp/v1/recharge?note=a%20b%2Bc",
    headers: { "x-api-token": TOKEN, "x-api-signature": headers["X-Api-Signature"], "content-type": "application/json" },
  });
  expect(arrived?.body.toString("utf8")).toBe(body);
});

test("a person sees the six lines numbered, the hash, the headers and the curl line, and never the secret", async () => {
  const { code, stdout } = await corprail(["sign", "GET", "/recharge?urid=A%201", "--nonce", "n1", "--timestamp", "1750000001"], {
    CORPRAIL_SIGNING_SECRET: SIGNING_SECRET,
  });
  expect(code).toBe(0);
  expect(stdout).toContain("  1  GET\n  2  /api/corp/v1/recharge\n  3  urid=A%201\n  4  e3b0c44298fc");
  expect(stdout).toMatch(/SHA-256 of the body: e3b0c4[0-9a-f]{58}\n/);
  expect(stdout).toMatch(/X-Api-Signature: [0-9a-f]{64}\n/);
  expect(stdout).toContain('curl -sS "$CORPRAIL_BASE_URL/api/corp/v1/recharge?urid=A%201"');
  expect(stdout).not.toContain(SIGNING_SECRET);
});

test("lines of one's own are compared, and those that differ are named", async () => {
  const own = `POST\n/api/corp/v1/recharge/\n\n${"0".repeat(64)}\n1750000001\nmine`;
  const given = ["sign", "POST", "/recharge", "--data", "{}", "--against", "-", "--json"];
  const wrong = await corprailReading(own, given, { CORPRAIL_SIGNING_SECRET: SIGNING_SECRET });
  expect(wrong.code).toBe(1);
  const { differing, string_to_sign: right } = JSON.parse(wrong.stdout);
  expect(differing.map((one: { line: number }) => one.line)).toEqual([2, 4]);
  expect(await corprailReading(right, given, { CORPRAIL_SIGNING_SECRET: SIGNING_SECRET })).toMatchObject({ code: 0 });
  const long = await corprailReading(`${right}\n`, given.slice(0, -1), { CORPRAIL_SIGNING_SECRET: SIGNING_SECRET });
  expect(long).toMatchObject({ code: 1, stdout: expect.stringContaining("7 lines") });
});

test.each([
  { given: ["PUT", "/balance"], says: "GET or POST" },
  { given: ["GET", "balance"], says: "slash" },
  { given: ["GET", "/balance", "--data", "{}"], says: "no body" },
  { given: ["POST", "/recharge"], says: "--data" },
  { given: ["GET", "/recharge?urid=1", "--query", "urid=2"], says: "once" },
  { given: ["GET", "/recharge?urid=%zz"], says: "escape" },
  { given: ["GET", "/recharge", "--query", "urid"], says: "name=value" },
  { given: ["GET", "/balance?token=x"], says: "token" },
])("$given is refused with 2", async ({ given, says }) => {
  const { code, stdout, stderr } = await corprail(["sign", ...given], { CORPRAIL_SIGNING_SECRET: SIGNING_SECRET });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(says);
});

test("without a signing secret there is nothing to sign with", async () => {
  expect(await corprail(["sign", "GET", "/balance"], { CORPRAIL_TOKEN: TOKEN })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("CORPRAIL_SIGNING_SECRET"),
  });
});
