import { createServer } from "node:http";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { ProviderExchange } from "../connector.ts";
import { secretMask } from "../masking/mask-secrets.ts";
import { testEgress } from "../testing/egress.ts";
import { NEVER } from "../testing/requests.ts";
import { type Call, createWire, type WireOptions } from "./exchange.ts";
import { percentEncode } from "./percent-encode.ts";
import { closeAll, closeLater, listen } from "./testing/servers.ts";

afterEach(closeAll);

const NOW = 1_790_000_000_000;

/** Sends a call and returns what is recorded of it. */
async function recorded(call: Partial<Call>, secrets: readonly string[], options: Partial<WireOptions> = {}): Promise<ProviderExchange> {
  const mask = secretMask(secrets);
  const wire = createWire({ connectMilliseconds: 5000, wholeMilliseconds: 20_000, egress: testEgress(), mask, now: () => NOW, ...options });
  const whole: Call = { method: "POST", origin: await echoServer(), path: "/", headers: {}, body: null, ...call };
  const kept: ProviderExchange[] = [];
  await wire.exchange(whole, NEVER, { operation: "recharge.pay", record: (one) => kept.push(one), readable: ["0123456789AB"] });
  await wire.close();
  const [first] = kept;
  if (kept.length !== 1 || !first) throw new Error(`${kept.length} exchanges were recorded.`);
  return first;
}

let echo: Promise<string> | null = null;

/** Answers with the request's path and body. */
function echoServer(): Promise<string> {
  echo ??= (async () => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        response.setHeader("x-session-token", "issued-by-them");
        response.end(Buffer.concat([Buffer.from(request.url ?? ""), Buffer.from("\n"), ...chunks]));
      });
    });
    closeLater(async () => {
      echo = null;
    });
    return `http://127.0.0.1:${await listen(server)}`;
  })();
  return echo;
}

test("an exchange is recorded with request, reply, time and duration, and without what identifies or authorises", async () => {
  const body = JSON.stringify({ ref: "0123456789AB", mobile: "9876543210", amount: "199", bank_account: "123456789012", token: "abc" });
  const headers = { authorization: "Basic abc", "content-type": "application/json", "x-api-key": "abc" };
  const exchange = await recorded({ path: "/pay/234567890123?key=abc&to=9876543210", headers, body }, []);
  expect(exchange).toMatchObject({ operation: "recharge.pay", startedAt: NOW, milliseconds: expect.any(Number), problem: null });
  const origin = await echoServer();
  expect(exchange.request.split("\n")).toEqual([
    `POST ${origin}/pay/…0123?key=[hidden]&to=9876543210`,
    "user-agent: corprail",
    "accept-encoding: identity",
    "authorization: [hidden]",
    "content-type: application/json",
    "x-api-key: [hidden]",
    "",
    `{"ref":"0123456789AB","mobile":"9876543210","amount":"199","bank_account":"…9012","token":"[hidden]"}`,
  ]);
  expect(exchange.reply).toMatch(/^200\n/);
  expect(exchange.reply).toContain("x-session-token: [hidden]");
  expect(exchange.reply).not.toMatch(/234567890123|123456789012|"abc"/);
});

test("a header that comes twice is recorded once with both values, and half of a surrogate pair as what was sent", async () => {
  const server = createServer((_, response) => response.writeHead(200, ["X-Note", "one", "x-note", "two"]).end("ok"));
  const { request, reply } = await recorded({ origin: `http://127.0.0.1:${await listen(server)}`, body: "a\ud800b" }, []);
  expect(request).toMatch(/\n\na\ufffdb$/);
  expect(reply).toContain("\nx-note: one, two\n");
});

test("without a recorder nothing is recorded; without an answer the problem is", async () => {
  const refused = await recorded({ origin: "http://10.0.0.1" }, []);
  expect(refused).toMatchObject({ reply: null, problem: expect.stringMatching(/^not_sent: the address is refused/) });
});

test("of an answer that was cut off, its beginning is kept with the problem", async () => {
  const exchange = await recorded({ body: "x".repeat(100_000) }, []);
  expect(exchange.problem).toBe("unknown: the answer is larger than 65536 bytes");
  expect(exchange.reply).toMatch(/^200\n/);
});

test("each side has at most 8 kB, and no part of a secret is left at the end", async () => {
  const secret = "Zq".repeat(20);
  for (const before of [8_100, 8_150, 60_000, 65_500, 65_520]) {
    const exchange = await recorded({ kind: "query", body: "é ".repeat(before / 3) + secret + " y".repeat(5000) }, [secret]);
    for (const text of [exchange.request, exchange.reply ?? ""]) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8 * 1024);
      expect(text).not.toContain("Zq");
    }
  }
});

const xml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const base64 = (text: string) => Buffer.from(text).toString("base64");
const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
  raw: (secret) => secret,
  percent: percentEncode,
  uri: encodeURIComponent,
  form: (secret) => new URLSearchParams([["", secret]]).toString().slice(1),
  lowerPercent: (secret) => [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  json: (secret) => JSON.stringify(secret).slice(1, -1),
  jsonInForm: (secret) => percentEncode(JSON.stringify(secret).slice(1, -1)),
  xml,
  base64,
  base64url: (secret) => Buffer.from(secret).toString("base64url"),
  hex: (secret) => Buffer.from(secret).toString("hex"),
  upperHex: (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
};

// A secret is a line of printable characters. Shorter than four it cannot be told from ordinary text.
const secretText = fc
  .string({
    unit: fc.oneof(fc.constantFrom(..."%\\/\"'&<>+= {}[]:,;|é₹😀"), fc.constantFrom(..."abcXYZ0189-_.")),
    minLength: 6,
    maxLength: 48,
  })
  .filter((text) => text.trim().length >= 6 && !/[^\u0020-\u{10ffff}]/u.test(text));

test("no secret appears in evidence, in whatever encoding and place it was sent", async () => {
  const origin = await echoServer();
  await fc.assert(
    fc.asyncProperty(secretText, fc.constantFrom(...Object.keys(ENCODINGS)), async (secret, name) => {
      const encoded = ENCODINGS[name]?.(secret) ?? "";
      const isHeader = /^[\x21-\x7e]+$/.test(encoded);
      const path = `/a/${encodeURIComponent(encoded)}?x=${encodeURIComponent(encoded)}`;
      const bodies = [
        encoded,
        `a=${encoded}&b=1`,
        `{"a":"${encoded}"}`,
        `<a>${encoded}</a>`,
        `1|${encoded}|2`,
        JSON.stringify({ a: encoded }),
      ];
      for (const body of bodies) {
        const call = { origin, path, headers: isHeader ? { "x-value": encoded } : {}, body };
        const exchange = await recorded(call, [secret]);
        for (const text of [exchange.request, exchange.reply ?? ""])
          for (const form of [secret, encoded]) expect(text.includes(form) && !"[hidden]".includes(form)).toBe(false);
      }
    }),
    { numRuns: 150 },
  );
});

test("a secret inside something that is encoded as a whole is found as well", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 0, maxLength: 5 }),
      fc.base64String({ minLength: 12, maxLength: 40 }),
      async (before, secret) => {
        const whole = base64(`${before}:${secret}:end`);
        const { request } = await recorded({ path: "/", body: `credentials ${whole} end` }, [secret]);
        expect(request).not.toContain(whole);
        for (const part of request.match(/[A-Za-z0-9+/=]{4,}/g) ?? [])
          expect(Buffer.from(part, "base64").toString("latin1").includes(secret.slice(1, -2))).toBe(false);
      },
    ),
    { numRuns: 100 },
  );
});

test("what belongs into the evidence of no call stays hidden while other calls with the same value end", async () => {
  const wire = createWire({ connectMilliseconds: 5000, wholeMilliseconds: 20_000, egress: testEgress(), now: () => NOW });
  const kept: ProviderExchange[] = [];
  const call: Call = { method: "POST", origin: await echoServer(), path: "/tickets/token+of+both", headers: {}, body: "token+of+both" };
  const evidence = { operation: "recharge.pay", record: (one: ProviderExchange) => kept.push(one), hidden: ["token+of+both"] };
  await Promise.all([wire.exchange(call, NEVER, evidence), wire.exchange(call, NEVER, evidence)]);
  await wire.close();
  expect(kept).toHaveLength(2);
  expect(JSON.stringify(kept)).not.toContain("token+of+both");
});
