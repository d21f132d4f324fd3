import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BAD_SIGNATURE, expectAnswered, expectRefusal, GET_ROUTES, get, type Header, PREFIX, signedGet } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, newCallbackSecret, newClient, newSigningSecret } from "./harness/operator.ts";
import { type Installation, sharedInstallation } from "./harness/service.ts";
import { headersOf, hmac, newNonce, nowSeconds, type SignatureHeaders, signatureHeaders, sixLines } from "./harness/sign.ts";

const DAY_SECONDS = 24 * 60 * 60;

let installation: Installation;
let client: Client;
beforeAll(async () => {
  installation = await sharedInstallation();
  client = await newClient(installation.service, { settings: { money_per_minute: 10_000, get_per_minute: 10_000 } });
});
afterAll(() => installation?.close());

const port = () => installation.service.port;

function signedBy(secret: string, path = "/services", timestamp = String(nowSeconds()), nonce = newNonce()) {
  const lines = sixLines({ method: "GET", path: PREFIX + path, secret, timestamp, nonce });
  return { timestamp, nonce, lines, signature: hmac(secret, lines.join("\n")) };
}

describe.each(GET_ROUTES)("GET %s", (path) => {
  test("a good signature is accepted, whether or not one is needed", async () => {
    expectAnswered(await get(port(), path, { token: client.token, headers: signedGet(path, client.secret) }));
    expectAnswered(await get(port(), path, { token: client.token }));
  });

  const LINES: readonly (readonly [name: string, line: number, text: string])[] = [
    ["the method", 0, "POST"],
    ["the method in small letters", 0, "get"],
    ["the path", 1, `${PREFIX}/balance`],
    ["the path with a slash at its end", 1, `${PREFIX}${path}/`],
    ["the path without its prefix", 1, path],
    ["the path with a host", 1, `127.0.0.1${PREFIX}${path}`],
    ["the query", 2, "limit=1"],
    ["the query with a question mark", 2, "?"],
    ["the body's digest", 3, hmac("", "x")],
    ["the body's digest in capitals", 3, "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"],
    ["no digest for no body", 3, ""],
    ["the timestamp", 4, String(nowSeconds() - 7)],
    ["the nonce", 5, "another-nonce"],
    ["a newline after the last line", 5, "\n"],
  ];

  test.each(LINES)("a signature over another line is refused: %s", async (_name, line, text) => {
    const { lines, timestamp, nonce } = signedBy(client.secret, path);
    const changed = lines.map((one, at) => (at !== line ? one : text === "\n" ? one + text : text));
    const headers = headersOf(timestamp, nonce, hmac(client.secret, changed.join("\n")));
    expectRefusal(await get(port(), path, { token: client.token, headers }), BAD_SIGNATURE);
  });

  test("lines joined by CRLF are refused", async () => {
    const { lines, timestamp, nonce } = signedBy(client.secret, path);
    const headers = headersOf(timestamp, nonce, hmac(client.secret, lines.join("\r\n")));
    expectRefusal(await get(port(), path, { token: client.token, headers }), BAD_SIGNATURE);
  });
});

type FormCase = readonly [name: string, spoil: (good: ReturnType<typeof signedBy>) => SignatureHeaders];
const without = (name: string, headers: SignatureHeaders) => headers.filter(([one]) => one !== name);
const whole = (good: ReturnType<typeof signedBy>) => headersOf(good.timestamp, good.nonce, good.signature);
const withSignature =
  (change: (signature: string) => string): FormCase[1] =>
  (good) =>
    headersOf(good.timestamp, good.nonce, change(good.signature));
const withTwice =
  (name: string): FormCase[1] =>
  (good) => [...whole(good), ...whole(good).filter(([one]) => one === name)];

const FORMS: readonly FormCase[] = [
  ["upper-case hex", withSignature((text) => text.toUpperCase())],
  ["one upper-case digit", withSignature((text) => text.replace(/[a-f]/, (digit) => digit.toUpperCase()))],
  ["63 digits", withSignature((text) => text.slice(0, 63))],
  ["65 digits", withSignature((text) => `${text}0`)],
  ["128 digits", withSignature((text) => text + text)],
  ["a digit that is none", withSignature((text) => `${text.slice(0, 63)}g`)],
  ["0x in front", withSignature((text) => `0x${text.slice(2)}`)],
  ["base64", withSignature((text) => Buffer.from(text, "hex").toString("base64"))],
  ["a scheme in front", withSignature((text) => `sha256=${text}`)],
  ["empty", withSignature(() => "")],
  ["all zeros", withSignature(() => "0".repeat(64))],
  ["the last digit changed", withSignature((text) => text.slice(0, 63) + (text.endsWith("0") ? "1" : "0"))],
  ["the first digit changed", withSignature((text) => (text.startsWith("0") ? "1" : "0") + text.slice(1))],
  ["two values in one header", withSignature((text) => `${text}, ${text}`)],
  ["no timestamp", (good) => without("X-Api-Timestamp", whole(good))],
  ["no nonce", (good) => without("X-Api-Nonce", whole(good))],
  ["no signature", (good) => without("X-Api-Signature", whole(good))],
  ["the timestamp alone", (good) => [["X-Api-Timestamp", good.timestamp]]],
  ["the nonce alone", (good) => [["X-Api-Nonce", good.nonce]]],
  ["the signature alone", (good) => [["X-Api-Signature", good.signature]]],
  ["an empty signature header alone", () => [["X-Api-Signature", ""]]],
  ["an empty nonce header alone", () => [["X-Api-Nonce", ""]]],
  ["the signature twice", withTwice("X-Api-Signature")],
  ["the timestamp twice", withTwice("X-Api-Timestamp")],
  ["the nonce twice", withTwice("X-Api-Nonce")],
];

test.each(FORMS)("a signature that is not in its one form is refused: %s", async (_name, spoil) => {
  const reply = await get(port(), "/services", { token: client.token, headers: spoil(signedBy(client.secret)) });
  expectRefusal(reply, BAD_SIGNATURE);
});

const TIMESTAMPS: readonly (readonly [name: string, write: (now: number) => string])[] = [
  ["milliseconds", (now) => `${now}000`],
  ["a fraction", (now) => `${now}.0`],
  ["a plus sign", (now) => `+${now}`],
  ["a minus sign", (now) => `-${now}`],
  ["a leading zero", (now) => `0${now}`],
  ["nine digits", (now) => String(now).slice(0, 9)],
  ["an exponent", (now) => `${now / 1e9}e9`],
  ["hexadecimal", (now) => `0x${now.toString(16)}`],
  ["a date", (now) => new Date(now * 1000).toISOString()],
  [
    "full-width digits",
    (now) => Buffer.from(String(now).replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))).toString("latin1"),
  ],
  ["a digit grouped", (now) => String(now).replace(/^(.)/, "$1,")],
  ["a space inside", (now) => String(now).replace(/^(.)/, "$1 ")],
  ["zero", () => "0"],
  ["an hour ago", (now) => String(now - 3600)],
  ["in an hour", (now) => String(now + 3600)],
];

test.each(TIMESTAMPS)("a timestamp that is not ten plain fresh digits is refused though it was signed: %s", async (_name, write) => {
  const timestamp = write(nowSeconds());
  const nonce = newNonce();
  const lines = sixLines({ method: "GET", path: `${PREFIX}/services`, secret: client.secret, timestamp, nonce });
  const headers = headersOf(timestamp, nonce, hmac(client.secret, lines.join("\n")));
  expectRefusal(await get(port(), "/services", { token: client.token, headers }), BAD_SIGNATURE);
});

test("a stale timestamp's refusal names the service's time", async () => {
  const headers = signedGet("/services", client.secret, { timestamp: String(nowSeconds() - 400) });
  const reply = await get(port(), "/services", { token: client.token, headers });
  const named = Number(/which is ([0-9]{10})\.$/.exec(String(reply.json()["message"]))?.[1]);
  expect(Math.abs(named - nowSeconds())).toBeLessThanOrEqual(5);
});

const NONCES: readonly (readonly [nonce: string, accepted: boolean])[] = [
  ["x", true],
  ["~".repeat(64), true],
  [`!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`, true],
  ["x".repeat(65), false],
  ["a b", false],
  ["a\tb", false],
  ["caf\xe9", false],
  ["", false],
];

test.each(NONCES)("the nonce %j: accepted is %s", async (nonce, accepted) => {
  const account = await newClient(installation.service);
  const { timestamp, signature } = signedBy(account.secret, "/services", undefined, nonce);
  const reply = await get(port(), "/services", { token: account.token, headers: headersOf(timestamp, nonce, signature) });
  if (accepted) expectAnswered(reply);
  else expectRefusal(reply, BAD_SIGNATURE);
});

test("a bad signature is refused with the urid of the query", async () => {
  const headers: readonly Header[] = [["X-Api-Nonce", "x"]];
  expectRefusal(await get(port(), "/services", { token: client.token, query: "urid=U-1", headers }), { ...BAD_SIGNATURE, urid: "U-1" });
});

const KEYS: readonly (readonly [name: string, key: (account: Client) => Promise<string> | string])[] = [
  ["the secret without its prefix", (account) => account.secret.replace(/^sig_/, "")],
  ["the secret with a newline", (account) => `${account.secret}\n`],
  ["the decoded secret", (account) => Buffer.from(account.secret.slice(4), "base64url").toString("latin1")],
  ["the callback secret", (account) => newCallbackSecret(installation.service, account.accountId)],
  ["the API token, outside recharge", (account) => account.token],
  ["the operator's key", () => installation.service.operatorKey],
  ["no key", () => ""],
];

test.each(KEYS)("a signature made with the wrong key is refused: %s", async (_name, key) => {
  const headers = signedGet("/services", await key(client));
  expectRefusal(await get(port(), "/services", { token: client.token, headers }), BAD_SIGNATURE);
});

test("an account that must sign is refused with the token alone, with a hint how to sign, and served when it signs", async () => {
  const account = await newClient(installation.service, { settings: { signing_required: true } });
  const reply = await get(port(), "/services", { token: account.token });
  expectRefusal(reply, BAD_SIGNATURE);
  for (const word of ["X-Api-Timestamp", "X-Api-Nonce", "X-Api-Signature", "HMAC-SHA256"]) expect(reply.json()["message"]).toContain(word);
  expectAnswered(await get(port(), "/services", { token: account.token, headers: signedGet("/services", account.secret) }));
});

test("replaced secrets work for 24 hours on the service's clock, not a minute longer, and a third one does not end the first", async () => {
  const account = await newClient(installation.service);
  const second = await newSigningSecret(installation.service, account.accountId);
  const third = await newSigningSecret(installation.service, account.accountId);
  const inside = DAY_SECONDS - 60;
  const outside = DAY_SECONDS + 60;
  const [before, after] = await Promise.all(
    [inside, outside].map((seconds) => installation.another({ CORPRAIL_CLOCK_OFFSET_SECONDS: String(seconds) })),
  );
  const ask = (servicePort: number, secret: string, offset: number) =>
    get(servicePort, "/services", {
      token: account.token,
      headers: signedGet("/services", secret, { timestamp: String(nowSeconds() + offset) }),
    });
  for (const secret of [account.secret, second, third]) {
    expectAnswered(await ask(port(), secret, 0));
    expectAnswered(await ask(before?.port ?? 0, secret, inside));
  }
  for (const secret of [account.secret, second]) expectRefusal(await ask(after?.port ?? 0, secret, outside), BAD_SIGNATURE);
  expectAnswered(await ask(after?.port ?? 0, third, outside));
});

test("old secrets that are revoked end at once, in other processes within a second", async () => {
  const other = await installation.another();
  const account = await newClient(installation.service);
  const current = await newSigningSecret(installation.service, account.accountId);
  const ask = (servicePort: number, secret: string) =>
    get(servicePort, "/services", { token: account.token, headers: signedGet("/services", secret) });
  await until("the other process knows the account", async () => (await ask(other.port, account.secret)).status === 200);
  await change(installation.service, `/accounts/${account.accountId}/signing-secret/revoke-old`);
  expectRefusal(await ask(port(), account.secret), BAD_SIGNATURE);
  await until("the other process refuses it too", async () => (await ask(other.port, account.secret)).status === 401);
  expectAnswered(await ask(other.port, current));
});

test("headers of signing are checked by the whole method, path and query of the request they stand on", async () => {
  const headers = signatureHeaders({ method: "GET", path: `${PREFIX}/operators`, secret: client.secret });
  expectRefusal(await get(port(), "/services", { token: client.token, headers }), BAD_SIGNATURE);
});
