import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  BAD_SIGNATURE,
  type Expected,
  expectAnswered,
  expectRefusal,
  GET_ROUTES,
  get,
  type Header,
  signedGet,
  TOKEN_INVALID,
  TOKEN_MISSING,
} from "./harness/client.ts";
import { type Client, change, newCallbackSecret, newClient } from "./harness/operator.ts";
import { exchange } from "./harness/raw-http.ts";
import { type Installation, sharedInstallation } from "./harness/service.ts";

let installation: Installation;
let client: Client;
let other: Client;
beforeAll(async () => {
  installation = await sharedInstallation();
  client = await newClient(installation.service, { settings: { money_per_minute: 10_000, get_per_minute: 10_000 } });
  other = await newClient(installation.service);
});
afterAll(() => installation?.close());

const port = () => installation.service.port;

type Attempt = { readonly headers?: readonly Header[]; readonly query?: string };
type Case = readonly [name: string, attempt: (mine: Client, theirs: Client) => Attempt, expected: Expected | "answered"];

const utf8 = (text: string) => Buffer.from(text).toString("latin1");
const header = (...values: readonly string[]): Attempt => ({ headers: values.map((value) => ["X-Api-Token", value] as const) });
const bearer = (...values: readonly string[]): Attempt => ({ headers: values.map((value) => ["Authorization", value] as const) });

const CASES: readonly Case[] = [
  ["no token at all", () => ({}), TOKEN_MISSING],
  ["a query that only resembles one", (mine) => ({ query: `Token=${mine.token}&tokens=${mine.token}` }), TOKEN_MISSING],
  [
    "a header that only resembles one",
    (mine) => ({
      headers: [
        ["X-Api-Tokens", mine.token],
        ["X_Api_Token", mine.token],
      ],
    }),
    TOKEN_MISSING,
  ],
  ["a cookie", (mine) => ({ headers: [["Cookie", `token=${mine.token}; X-Api-Token=${mine.token}`]] }), TOKEN_MISSING],
  ["the preferred header", (mine) => header(mine.token), "answered"],
  ["the header's name in capitals", (mine) => ({ headers: [["X-API-TOKEN", mine.token]] }), "answered"],
  ["bearer in small letters", (mine) => bearer(`bearer ${mine.token}`), "answered"],
  ["BEARER in capitals", (mine) => bearer(`BEARER ${mine.token}`), "answered"],
  ["the query", (mine) => ({ query: `token=${mine.token}` }), "answered"],
  [
    "all three places with one token",
    (mine) => ({
      query: `token=${mine.token}`,
      headers: [...(header(mine.token).headers ?? []), ...(bearer(`Bearer ${mine.token}`).headers ?? [])],
    }),
    "answered",
  ],
  ["the header twice with one value", (mine) => header(mine.token, mine.token), TOKEN_INVALID],
  ["the header twice, differing", (mine, theirs) => header(mine.token, theirs.token), TOKEN_INVALID],
  ["the header twice, once empty", (mine) => header(mine.token, ""), TOKEN_INVALID],
  ["two tokens in one header", (mine) => header(`${mine.token}, ${mine.token}`), TOKEN_INVALID],
  ["Authorization twice", (mine) => bearer(`Bearer ${mine.token}`, `Bearer ${mine.token}`), TOKEN_INVALID],
  [
    "a second header behind two thousand others",
    (mine) => ({
      headers: [["X-Api-Token", mine.token], ...Array.from({ length: 2100 }, (): Header => ["a", ""]), ["X-Api-Token", mine.token]],
    }),
    TOKEN_INVALID,
  ],
  [
    "header and Authorization that differ",
    (mine, theirs) => ({
      headers: [
        ["X-Api-Token", mine.token],
        ["Authorization", `Bearer ${theirs.token}`],
      ],
    }),
    TOKEN_INVALID,
  ],
  ["header and query that differ", (mine, theirs) => ({ ...header(mine.token), query: `token=${theirs.token}` }), TOKEN_INVALID],
  ["header and an empty query token", (mine) => ({ ...header(mine.token), query: "token=" }), TOKEN_INVALID],
  [
    "another scheme beside a good header",
    (mine) => ({
      headers: [
        ["X-Api-Token", mine.token],
        ["Authorization", "Basic YTpi"],
      ],
    }),
    TOKEN_INVALID,
  ],
  ["Basic with the token as password", (mine) => bearer(`Basic ${Buffer.from(`:${mine.token}`).toString("base64")}`), TOKEN_INVALID],
  ["Bearer with two spaces", (mine) => bearer(`Bearer  ${mine.token}`), TOKEN_INVALID],
  ["Bearer with a tab", (mine) => bearer(`Bearer\t${mine.token}`), TOKEN_INVALID],
  ["Bearer with a colon", (mine) => bearer(`Bearer: ${mine.token}`), TOKEN_INVALID],
  ["Bearer without a space", (mine) => bearer(`Bearer${mine.token}`), TOKEN_INVALID],
  ["Bearer alone", () => bearer("Bearer"), TOKEN_INVALID],
  ["the token without a scheme", (mine) => bearer(mine.token), TOKEN_INVALID],
  ["Bearer, the token and more", (mine) => bearer(`Bearer ${mine.token} x`), TOKEN_INVALID],
  ["Token as the scheme", (mine) => bearer(`Token ${mine.token}`), TOKEN_INVALID],
  ["an empty header", () => header(""), TOKEN_INVALID],
  ["a token less its last character", (mine) => header(mine.token.slice(0, -1)), TOKEN_INVALID],
  ["a token less its first character", (mine) => header(mine.token.slice(1)), TOKEN_INVALID],
  ["a token and one character more", (mine) => header(`${mine.token}A`), TOKEN_INVALID],
  ["a token without its prefix", (mine) => header(mine.token.replace("tok_live_", "")), TOKEN_INVALID],
  ["the prefix alone", () => header("tok_live_"), TOKEN_INVALID],
  ["a token with the other prefix", (mine) => header(mine.token.replace("tok_live_", "tok_test_")), TOKEN_INVALID],
  ["a token in other letter case", (mine) => header(mine.token.toUpperCase()), TOKEN_INVALID],
  ["a token in quotes", (mine) => header(`"${mine.token}"`), TOKEN_INVALID],
  ["a wildcard", () => header("%"), TOKEN_INVALID],
  ["a password", () => header("hunter2"), TOKEN_INVALID],
  ["a name every object has", () => header("__proto__"), TOKEN_INVALID],
  ["text that is SQL", () => header("' or 1=1 --"), TOKEN_INVALID],
  ["a Cyrillic letter for a Latin one", (mine) => header(utf8(mine.token.replace("o", "о"))), TOKEN_INVALID],
  ["full-width letters", (mine) => header(utf8(mine.token.replace("tok", "ｔｏｋ"))), TOKEN_INVALID],
  ["bytes that are no UTF-8", (mine) => header(`${mine.token}\xff\xfe`), TOKEN_INVALID],
  ["the account's signing secret", (mine) => header(mine.secret), TOKEN_INVALID],
  ["the account's id", (mine) => header(mine.accountId), TOKEN_INVALID],
  ["the operator's key", () => bearer(`Bearer ${installation.service.operatorKey}`), TOKEN_INVALID],
  ["an escaped token in the query is the same token", (mine) => ({ query: `token=${mine.token.replace("t", "%74")}` }), "answered"],
];

describe.each(GET_ROUTES)("GET %s", (path) => {
  test.each(CASES)("%s", async (_name, attempt, expected) => {
    const reply = await get(port(), path, attempt(client, other));
    if (expected === "answered") expectAnswered(reply);
    else expectRefusal(reply, expected);
  });
});

test("a refused token echoes a valid urid of the query and leaves out any other", async () => {
  expectRefusal(await get(port(), "/services", { query: "urid=A.b_c:d-9" }), { ...TOKEN_MISSING, urid: "A.b_c:d-9" });
  for (const query of ["urid=", "urid=a%20b", "urid=a%26b", "urid=%00", `urid=${"x".repeat(65)}`, "request_id=ABC"]) {
    expectRefusal(await get(port(), "/services", { query }), TOKEN_MISSING);
  }
  expectRefusal(await get(port(), "/services", { query: `urid=${"x".repeat(64)}` }), { ...TOKEN_MISSING, urid: "x".repeat(64) });
});

test("a token of 100 kB is refused with the headers' size named, and the service goes on", async () => {
  const reply = await get(port(), "/services", header(`tok_live_${"a".repeat(100_000)}`));
  expect(reply.status).toBe(431);
  expect(reply.json()).toEqual({ status: "rejected", error: "invalid_request", code: 120, message: "The headers are larger than 16 KiB." });
  expectAnswered(await get(port(), "/services", { token: client.token }));
});

test("a token of 10 kB is just a wrong token", async () => {
  expectRefusal(await get(port(), "/services", header(`tok_live_${"a".repeat(10_000)}`)), TOKEN_INVALID);
});

test.each(["\r\n ", "\r\n\t"])("a token folded over two lines (%j) never passes", async (fold) => {
  const half = client.token.length / 2;
  const text = `GET /api/corp/v1/services HTTP/1.1\r\nHost: a\r\nX-Api-Token: ${client.token.slice(0, half)}${fold}${client.token.slice(half)}\r\n\r\n`;
  expect([400, 401]).toContain((await exchange(port(), text)).status);
});

test("somebody else's token with one's own signature is refused, and so is one's own token with theirs", async () => {
  expectRefusal(await get(port(), "/services", { token: other.token, headers: signedGet("/services", client.secret) }), BAD_SIGNATURE);
  expectRefusal(await get(port(), "/services", { token: client.token, headers: signedGet("/services", other.secret) }), BAD_SIGNATURE);
});

test("a replaced token dies at once and the new one works at once", async () => {
  const account = await newClient(installation.service);
  expectAnswered(await get(port(), "/services", { token: account.token }));
  const replaced = String((await change(installation.service, `/accounts/${account.accountId}/token`))["api_token"]);
  expectRefusal(await get(port(), "/services", { token: account.token }), TOKEN_INVALID);
  expectAnswered(await get(port(), "/services", { token: replaced }));
});

test("a callback secret is no token", async () => {
  const secret = await newCallbackSecret(installation.service, client.accountId);
  expectRefusal(await get(port(), "/services", { token: secret }), TOKEN_INVALID);
});
