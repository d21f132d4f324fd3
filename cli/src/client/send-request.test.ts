import { createHash, createHmac } from "node:crypto";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type Arrived, deadAddress, SIGNING_SECRET, standIn, TOKEN } from "../../testing/client.ts";
import { corprail, corprailReading } from "../../testing/processes.ts";

const credentials = (base: string) => ({ CORPRAIL_BASE_URL: base, CORPRAIL_TOKEN: TOKEN, CORPRAIL_SIGNING_SECRET: SIGNING_SECRET });

/** Made without the SDK: the six lines as the specification has them. */
function signatureOf({ method, url, headers, body }: Arrived): string {
  const [path = "", query = ""] = url.split("?");
  const hash = createHash("sha256").update(body).digest("hex");
  const lines = [method, path, query, hash, headers["x-api-timestamp"], headers["x-api-nonce"]];
  return createHmac("sha256", SIGNING_SECRET).update(lines.join("\n")).digest("hex");
}

test("any path is sent signed, with the exact bytes that were given", async () => {
  const service = await standIn(() => ({ status: 200, body: '{"ok":true}' }));
  const body = '{ "request_id" : "F1" }\n';
  const ended = await corprailReading(body, ["request", "post", "/bills/fetch", "--data", "-", "--json"], credentials(service.base));
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(ended.stdout)).toMatchObject({ ok: true, http_status: 200, body: { ok: true } });
  await corprail(["request", "GET", "/api/corp/v1/recharge/", "--query", "urid=A 1", "--query", "b=2"], credentials(service.base));
  const [post, get] = service.arrived;
  expect(post).toMatchObject({ method: "POST", url: "/api/corp/v1/bills/fetch", headers: { "x-api-token": TOKEN } });
  expect(post?.body.toString("utf8")).toBe(body);
  expect(get).toMatchObject({ method: "GET", url: "/api/corp/v1/recharge?b=2&urid=A%201" });
  for (const arrived of [post, get]) expect(arrived?.headers["x-api-signature"]).toBe(signatureOf(arrived as Arrived));
});

test.each([
  { status: 200, body: '{"status":"SUCCESS"}', code: 0 },
  { status: 200, body: '{"status":"FAILED"}', code: 3 },
  { status: 200, body: '{"ok":false,"status":"failed"}', code: 3 },
  { status: 200, body: '{"status":"pending"}', code: 4 },
  { status: 401, body: '{"status":"rejected","error":"invalid_signature"}', code: 1 },
  { status: 500, body: "oops", code: 1 },
])("HTTP $status with $body ends with $code, and the body is on standard output", async ({ status, body, code }) => {
  const service = await standIn(() => ({ status, body }));
  const ended = await corprail(["request", "GET", "/recharge?urid=1"], credentials(service.base));
  expect(ended.code).toBe(code);
  expect(ended.stdout).toContain(body);
});

test("no answer to a GET is a failure, to a POST it is open what happened unless it never left", async () => {
  const deaf = createServer((socket) => socket.once("data", () => socket.destroy()));
  await new Promise<void>((listening) => deaf.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void deaf.close());
  const silent = credentials(`http://127.0.0.1:${(deaf.address() as AddressInfo).port}`);
  const post = ["request", "POST", "/recharge", "--data", "{}"];
  expect(await corprail(["request", "GET", "/balance"], silent)).toMatchObject({ code: 1, stderr: expect.stringContaining("no answer") });
  expect(await corprail(post, silent)).toMatchObject({ code: 4, stderr: expect.stringContaining("no answer") });
  expect(await corprail(post, credentials(await deadAddress()))).toMatchObject({ code: 1 });
});

test("a token never goes over plain http to another machine", async () => {
  const ended = await corprail(["request", "GET", "/balance"], credentials("http://api.example.in"));
  expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("https://") });
});

test("--include shows the answer's head, --unsigned sends the token alone", async () => {
  const service = await standIn(() => ({ status: 200, body: "{}" }));
  const ended = await corprail(["request", "GET", "/balance", "--include", "--unsigned"], credentials(service.base));
  expect(ended.stdout).toMatch(/^HTTP 200\n/);
  expect(ended.stdout).toContain("content-type: application/json\n");
  expect(service.arrived[0]?.headers["x-api-signature"]).toBeUndefined();
});
