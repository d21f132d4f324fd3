import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { complaintCallback, type SignedCallback, statusCallback } from "../../../sdk/src/testing.ts";
import { CALLBACK_SECRET, scratchFolder, TOKEN } from "../../testing/client.ts";
import { corprail, corprailReading } from "../../testing/processes.ts";

const URL_OF_RECEIVER = "https://shop.example/cb?shop=a+b";
const KEYS = { CORPRAIL_TOKEN: TOKEN, CORPRAIL_CALLBACK_SECRET: CALLBACK_SECRET };
const version2 = (more = {}) => statusCallback({ version: 2, token: TOKEN, url: URL_OF_RECEIVER, status: "SUCCESS", ...more });
const version3 = (more = {}) =>
  statusCallback({ version: 3, callbackSecret: CALLBACK_SECRET, url: URL_OF_RECEIVER, status: "FAILED", ...more });

/** As a receiver's log of raw requests has it. */
function raw({ method, url, headers, body }: SignedCallback): Buffer {
  const lines = [`${method} ${new URL(url).pathname}${new URL(url).search} HTTP/1.1`, "Host: shop.example"];
  const all = [...lines, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", ""];
  return Buffer.concat([Buffer.from(all.join("\r\n")), body]);
}

async function verified(input: string | Buffer, more: readonly string[] = [], keys: Readonly<Record<string, string>> = KEYS) {
  const { code, stdout, stderr } = await corprailReading(input, ["verify", "callback", "--json", ...more], keys);
  const [result] = JSON.parse(stdout).results ?? [];
  return { code, stderr, result };
}

test("a genuine callback of either version is confirmed and its fields are shown", async () => {
  expect(await verified(version2().url)).toMatchObject({
    code: 0,
    result: { verified: true, version: 2, callback: { status: "SUCCESS", shop: "a b" } },
  });
  expect(await verified(raw(version2()))).toMatchObject({ code: 0, result: { verified: true, version: 2 } });
  expect(await verified(raw(version3()))).toMatchObject({
    code: 0,
    result: { verified: true, version: 3, callback: { status: "FAILED" } },
  });
  const complaint = complaintCallback({ version: 3, callbackSecret: CALLBACK_SECRET, url: URL_OF_RECEIVER, status: "REFUNDED" });
  expect(await verified(raw(complaint))).toMatchObject({
    code: 0,
    result: { callback: { event: "complaint", refund_amount: "199.0000" } },
  });
});

const changed = (callback: SignedCallback, from: string, to: string) =>
  Buffer.from(raw(callback).toString("latin1").replace(from, to), "latin1");

test.each([
  { what: "a changed parameter", input: () => version2().url.replace("SUCCESS", "FAILED"), check: "signature", why: "hash does not match" },
  {
    what: "a hash that is missing",
    input: () => version2().url.replace(/&hash=.*/, ""),
    check: "signature",
    why: "hash parameter is missing",
  },
  { what: "a changed body", input: () => changed(version3(), "FAILED", "SUCCES"), check: "signature", why: "body's bytes" },
  {
    what: "a header that is missing",
    input: () => changed(version3(), "x-callback-signature", "x-other"),
    check: "signature",
    why: "X-Callback-Signature is missing",
  },
  {
    what: "a newline that an editor added",
    input: () => Buffer.concat([raw(version3()), Buffer.from("\n")]),
    check: "signature",
    why: "editor",
  },
  {
    what: "the token as the key of version 3",
    input: () => raw(statusCallback({ version: 3, callbackSecret: TOKEN, url: URL_OF_RECEIVER, status: "FAILED" })),
    check: "signature",
    why: "signed with the API token",
  },
  { what: "an old ts", input: () => raw(version3({ ts: Math.floor(Date.now() / 1000) - 900 })), check: "freshness", why: "seconds old" },
  { what: "a ts ahead", input: () => version2({ ts: Math.floor(Date.now() / 1000) + 900 }).url, check: "freshness", why: "seconds ahead" },
  { what: "a field that is missing", input: () => raw(version3({ urid: "" })), check: "fields", why: "without urid" },
  { what: "another method", input: () => changed(version3(), "POST", "PUT"), check: "form", why: "not PUT" },
])("$what fails the $check check, and that is said", async ({ input, check, why }) => {
  const { code, stderr, result } = await verified(input());
  expect({ code, result }).toMatchObject({ code: 1, result: { verified: false, failed_check: check, why: expect.stringContaining(why) } });
  expect(stderr).toContain(`Refused by the ${check} check`);
});

test("a key that is not there is named", async () => {
  expect(await verified(raw(version3()), [], { CORPRAIL_TOKEN: TOKEN })).toMatchObject({
    code: 1,
    result: { failed_check: "key", why: expect.stringContaining("CORPRAIL_CALLBACK_SECRET") },
  });
  expect(await corprailReading("", ["verify", "callback"], { CORPRAIL_BASE_URL: "https://api.example.in" })).toMatchObject({ code: 2 });
});

test("a recorded callback is verified as of when it came", async () => {
  const old = version2({ ts: 1_750_000_000 }).url;
  expect(await verified(old, ["--at", "1750000300"])).toMatchObject({ code: 0 });
  expect(await verified(old, ["--at", "1750000301"])).toMatchObject({ code: 1, result: { failed_check: "freshness" } });
});

test("a replay is found among the files of one run, and over runs with --seen", async () => {
  const folder = scratchFolder();
  const file = join(folder, "request.txt");
  writeFileSync(file, raw(version3()));
  const both = await corprail(["verify", "callback", file, file, "--json"], KEYS);
  expect(both.code).toBe(1);
  expect(JSON.parse(both.stdout).results).toMatchObject([{ verified: true }, { verified: false, failed_check: "replay" }]);
  const seen = ["--seen", join(folder, "nonces")];
  expect(await corprail(["verify", "callback", file, ...seen], KEYS)).toMatchObject({ code: 0 });
  expect(await corprail(["verify", "callback", file, ...seen], KEYS)).toMatchObject({ code: 1, stderr: expect.stringContaining("replay") });
  expect(readFileSync(join(folder, "nonces"), "utf8")).toMatch(/^[0-9]+ \S+\n$/);
});

test("a person sees the checks in their order, up to the one that failed", async () => {
  const { stdout } = await corprailReading(raw(version3({ ts: 1_750_000_000 })), ["verify", "callback"], KEYS);
  expect(stdout).toMatch(/form +ok\n +key +ok\n +signature +ok\n +fields +ok\n +freshness +FAILED\n +replay +not reached\n/);
});

test("what is no request ends with 2, and no output holds a secret", async () => {
  const { code, stdout, stderr } = await corprailReading("hello", ["verify", "callback"], KEYS);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).not.toContain(TOKEN);
});
