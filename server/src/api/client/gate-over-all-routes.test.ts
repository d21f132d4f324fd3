import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RawReply } from "../../../../e2e/harness/raw-http.ts";
import { newNonce, nowSeconds } from "../../../../e2e/harness/sign.ts";
import type { Account } from "../../domain/accounts/account.ts";
import type { Route } from "../../domain/client-api/route.ts";
import { ALL_ROUTES, allow, type Caller, createFixture, type Fixture, type Sent, send } from "./testing/gate-fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture?.close());

const REFERENCE = "REF-2026.11:7_x";
const MIDDLE_MESSAGE = /^\S[^\n]*\S$/;

const isSigned = (one: Route) => one.service !== "recharge";

/** The reference in the body of a POST or in the query of a GET. */
function withReference(one: Route, more: Record<string, unknown> = {}): Pick<Sent, "body" | "query"> {
  const name = isSigned(one) ? "request_id" : "urid";
  if (one.method === "GET") return { query: [[name, REFERENCE]] };
  return { body: JSON.stringify({ [name]: REFERENCE, amount: "10.50", account: "9876543210", ...more }) };
}

const reference = (one: Route) => (isSigned(one) ? { request_id: REFERENCE, urid: REFERENCE } : { urid: REFERENCE });

function expectReply(reply: RawReply, status: number, body: Record<string, unknown>): void {
  expect({ status: reply.status, body: reply.json() }).toEqual({
    status,
    body: { message: expect.stringMatching(MIDDLE_MESSAGE), ...body },
  });
  expect(reply.headers.get("x-request-id")).toEqual([expect.stringMatching(/^[0-9A-Z]{20}$/)]);
  expect(reply.headers.get("cache-control")).toEqual(["no-store"]);
  expect(reply.headers.get("content-type")).toEqual(["application/json; charset=utf-8"]);
}

type Name = "token_missing" | "token_invalid" | "ip_not_allowed" | "rate_limited" | "service_not_enabled" | "invalid_signature";
const REFUSALS: Record<Name, readonly [status: number, code: number]> = {
  token_missing: [401, 101],
  token_invalid: [401, 102],
  ip_not_allowed: [403, 2428],
  rate_limited: [429, 123],
  service_not_enabled: [403, 331],
  invalid_signature: [401, 113],
};

function expectRefused(one: Route, reply: RawReply, error: Name): void {
  const [status, code] = REFUSALS[error];
  if (error === "service_not_enabled" && one.kind === "transaction") expectFailed(reply);
  else expectReply(reply, status, { status: "rejected", error, code, ...reference(one) });
}

// Spec, Resources: the eleven fields of a transaction that was not created, and request_id on the signed services.
function expectFailed(reply: RawReply): void {
  expectReply(reply, 200, {
    ok: false,
    status: "failed",
    code: 331,
    order_id: "",
    urid: REFERENCE,
    request_id: REFERENCE,
    operator_ref: null,
    amount: "10.50",
    account: "9876543210",
    balance: null,
    error: "service_not_enabled",
  });
}

/** One check of the gate and how to make a request fail it, in the order of contract section 2. */
type Check = {
  readonly name: string;
  readonly error: Name;
  readonly applies: (one: Route) => boolean;
  readonly account?: Partial<Account>;
  readonly spoil?: (sent: Sent, caller: Caller) => Sent;
  readonly before?: (one: Route, caller: Caller) => Promise<unknown>;
};

const always = () => true;
const CHECKS: readonly Check[] = [
  { name: "no token", error: "token_missing", applies: always, spoil: (sent) => ({ ...sent, token: null }) },
  { name: "a wrong token", error: "token_invalid", applies: always, spoil: (sent, caller) => ({ ...sent, token: `${caller.token}x` }) },
  { name: "a wrong address", error: "ip_not_allowed", applies: always, account: { allowlist: allow("10.0.0.1") } },
  {
    name: "an empty budget",
    error: "rate_limited",
    applies: always,
    account: { moneyPerMinute: 1, getPerMinute: 1 },
    before: (one, { account }) =>
      fixture.admission.admit({ accountId: account.accountId, budget: one.method === "GET" ? "get" : "money", cap: 1, nonce: null }),
  },
  { name: "a service that is off", error: "service_not_enabled", applies: isSigned, account: { services: new Set(["recharge"]) } },
  {
    name: "a wrong signature",
    error: "invalid_signature",
    applies: always,
    spoil: (sent, caller) => ({ ...sent, sign: `${caller.secret}x` }),
  },
];

async function attempt(one: Route, checks: readonly Check[]): Promise<RawReply> {
  const caller = fixture.caller(Object.assign({}, ...checks.map((check) => check.account ?? {})));
  for (const check of checks) await check.before?.(one, caller);
  const good: Sent = { token: caller.token, ...(isSigned(one) ? { sign: caller.secret } : {}), ...withReference(one) };
  return send(
    fixture,
    one,
    checks.reduce((sent, check) => check.spoil?.(sent, caller) ?? sent, good),
  );
}

// Lookups stay available while the service is off, so their signature is checked first.
const firstOf = (one: Route, first: Check, second: Check): Check =>
  one.kind === "lookup" && first.error === "service_not_enabled" && second.error === "invalid_signature" ? second : first;

const title = (one: Route) => `${one.method} ${one.path} (${one.service}, ${one.kind})`;

test("the table has routes of every method, kind and of a signed service", () => {
  expect(new Set(ALL_ROUTES.map((one) => `${one.method} ${one.kind}`))).toEqual(
    new Set(["GET plain", "GET lookup", "POST plain", "POST transaction"]),
  );
  expect(ALL_ROUTES.some(isSigned)).toBe(true);
});

describe.each(ALL_ROUTES.map((one) => [title(one), one] as const))("%s", (_title, one) => {
  const checks = CHECKS.filter((check) => check.applies(one));

  test.each(checks.map((check) => [check.name, check] as const))("refuses %s with exactly the contract's reply", async (_name, check) => {
    expectRefused(one, await attempt(one, [check]), check.error);
  });

  test("if two checks fail, the reply is that of the earlier check in the contract", async () => {
    for (const [at, first] of checks.entries()) {
      for (const second of checks.slice(at + 1)) {
        if (first.error === "token_missing" && second.error === "token_invalid") continue;
        expectRefused(one, await attempt(one, [first, second]), firstOf(one, first, second).error);
      }
    }
  });

  test("refuses a request that must be signed and is not, and says how to sign", async () => {
    const caller = fixture.caller({ signingRequired: true });
    const reply = await send(fixture, one, { token: caller.token, ...withReference(one) });
    expectRefused(one, reply, "invalid_signature");
    expect(reply.json()["message"]).toContain("X-Api-Signature, the HMAC-SHA256 with your signing secret");
  });

  test("refuses a stale, a future and a replayed signature", async () => {
    const caller = fixture.caller();
    const good: Sent = { token: caller.token, sign: caller.secret, ...withReference(one) };
    for (const seconds of [-310, 310]) {
      const reply = await send(fixture, one, { ...good, timestamp: String(nowSeconds() + seconds) });
      expectRefused(one, reply, "invalid_signature");
      expect(reply.json()["message"]).toContain("the service's time");
    }
    const nonce = newNonce();
    // The first request passes the gate, so its reply does not come from the gate.
    const expiresAt = nowSeconds() + 300;
    await fixture.admission.admit({ accountId: caller.account.accountId, budget: "money", cap: 600, nonce: { text: nonce, expiresAt } });
    const replayed = await send(fixture, one, { ...good, nonce });
    expectRefused(one, replayed, "invalid_signature");
    expect(replayed.json()["message"]).toContain("nonce was used before");
  });

  test("echoes no reference if the request has no valid one", async () => {
    const name = isSigned(one) ? "request_id" : "urid";
    for (const wrong of ["", "a b", "a&b", "x".repeat(65)]) {
      const sent = one.method === "GET" ? { query: [[name, wrong] as const] } : { body: JSON.stringify({ [name]: wrong }) };
      expectReply(await send(fixture, one, { token: "x", ...sent }), 401, { status: "rejected", error: "token_invalid", code: 102 });
    }
    if (one.method === "GET") return;
    for (const body of ["", "{", "[]", `{"${name}":7}`, `{"${name}":"A","${name}":"B"}`])
      expectReply(await send(fixture, one, { token: "x", body }), 401, { status: "rejected", error: "token_invalid", code: 102 });
  });

  test("sends Retry-After only on GET requests of accounts with callback version 3", async () => {
    for (const callbackVersion of [2, 3] as const) {
      const reply = await attempt(one, [{ ...(CHECKS[3] as Check), account: { moneyPerMinute: 1, getPerMinute: 1, callbackVersion } }]);
      expectRefused(one, reply, "rate_limited");
      expect(reply.headers.has("retry-after")).toBe(one.method === "GET" && callbackVersion === 3);
    }
  });

  test("answers 405 to other methods of its path, with the allowed ones", async () => {
    const others = ["GET", "POST", "PUT", "DELETE", "PATCH"].filter(
      (method) => !ALL_ROUTES.some((other) => other.path === one.path && other.method === method),
    );
    for (const method of others) {
      const reply = await send(fixture, { ...one, method: method as "GET" }, { token: "x" });
      const own = one.service === "recharge" ? {} : { ok: false, order_id: "" };
      expectReply(reply, 405, { ...own, status: "rejected", error: "method_not_allowed", code: 129 });
      expect(reply.headers.get("allow")?.[0]?.split(", ")).toContain(one.method);
    }
  });
});

describe("a service that is switched off", () => {
  const routeOf = (method: string, path: string) => ALL_ROUTES.find((one) => one.method === method && one.path === path) as Route;
  const off = () => fixture.caller({ services: new Set(["recharge"]) });

  test("fails a transaction, signed, unsigned or wrongly signed alike", async () => {
    const one = routeOf("POST", "/test/pay");
    const caller = off();
    for (const sign of [{}, { sign: caller.secret }, { sign: "x" }, { headers: [["X-Api-Nonce", ""]] as const }])
      expectFailed(await send(fixture, one, { token: caller.token, ...withReference(one), ...sign }));
  });

  type Lenient = readonly [body: string, echoed: { readonly request_id: string; readonly amount: string; readonly account: string }];
  const LENIENT: readonly Lenient[] = [
    ["", { request_id: "", amount: "", account: "" }],
    ["not JSON", { request_id: "", amount: "", account: "" }],
    ["{}", { request_id: "", amount: "", account: "" }],
    [`{"request_id":1,"amount":2,"account":null}`, { request_id: "", amount: "", account: "" }],
    [`{"request_id":"a b","amount":"1e3","account":"\u20b9"}`, { request_id: "a b", amount: "1e3", account: "\u20b9" }],
    [`{"urid":"U-1","account":["x"]}`, { request_id: "", amount: "", account: "" }],
  ];
  test.each(LENIENT)("reads %j leniently and echoes the strings", async (body, echoed) => {
    const reply = await send(fixture, routeOf("POST", "/test/pay"), { token: off().token, body });
    expect(reply.status).toBe(200);
    expect(reply.json()).toMatchObject({
      ok: false,
      status: "failed",
      code: 331,
      order_id: "",
      balance: null,
      ...echoed,
      urid: echoed.request_id,
    });
  });

  test("fails a transaction whose body is too large as well", async () => {
    const reply = await send(fixture, routeOf("POST", "/test/pay"), { token: off().token, body: "x".repeat(70_000) });
    expect(reply.json()).toMatchObject({ ok: false, status: "failed", error: "service_not_enabled" });
  });

  test("answers only a correctly signed lookup that finds its record", async () => {
    const one = routeOf("GET", "/test/pay");
    const caller = off();
    const ask = (id: string, sent: Sent) => send(fixture, one, { token: caller.token, query: [["request_id", id]], ...sent });
    const said = { ok: true, status: "SUCCESS", code: 0, error: "", message: "", service: "bills" };
    expect((await ask("KNOWN", { sign: caller.secret })).json()).toEqual(said);
    const echo = (id: string) => ({ request_id: id, urid: id });
    const closed = { status: "rejected", error: "service_not_enabled", code: 331 };
    expectReply(await ask("UNKNOWN", { sign: caller.secret }), 403, { ...closed, ...echo("UNKNOWN") });
    expectReply(await ask("KNOWN", {}), 403, { ...closed, ...echo("KNOWN") });
    expectReply(await ask("UNKNOWN", {}), 403, { ...closed, ...echo("UNKNOWN") });
    const wrong = { status: "rejected", error: "invalid_signature", code: 113 };
    expectReply(await ask("KNOWN", { sign: "x" }), 401, { ...wrong, ...echo("KNOWN") });
    expectReply(await ask("KNOWN", { headers: [["X-Api-Nonce", "x"]] }), 401, { ...wrong, ...echo("KNOWN") });
    const nonce = newNonce();
    expect((await ask("KNOWN", { sign: caller.secret, nonce })).status).toBe(200);
    expectReply(await ask("KNOWN", { sign: caller.secret, nonce }), 401, { ...wrong, ...echo("KNOWN") });
  });

  test("a lookup without a record is an ordinary 404 while the service is on", async () => {
    const caller = fixture.caller();
    const reply = await send(fixture, routeOf("GET", "/test/pay"), {
      token: caller.token,
      sign: caller.secret,
      query: [["request_id", "NO"]],
    });
    expectReply(reply, 404, { ok: false, status: "rejected", error: "not_found", code: 125, request_id: "NO", urid: "NO", order_id: "" });
  });

  test("a signature is not checked, so its nonce is not used up", async () => {
    const [one, nonce] = [routeOf("POST", "/test/fetch"), newNonce()];
    const caller = off();
    const sent: Sent = { token: caller.token, sign: caller.secret, nonce, ...withReference(one) };
    for (let time = 0; time < 2; time++) expectRefused(one, await send(fixture, one, sent), "service_not_enabled");
  });
});

describe("an overloaded service, where a request would wait longer than a second", () => {
  const busy = (one: Route) => ({ status: "rejected", error: "busy", code: 140, ...reference(one) });
  const own = (one: Route) => (isSigned(one) ? { ok: false, order_id: "" } : {});

  test.each(ALL_ROUTES.map((one) => [`${one.method} ${one.path}`, one] as const))(
    "%s: 503 busy with Retry-After, after token and address, and neither budget nor nonce is used up",
    async (_name, one) => {
      const [caller, stranger] = [fixture.caller({ moneyPerMinute: 1, getPerMinute: 1 }), fixture.caller({ allowlist: allow("10.0.0.1") })];
      const sent: Sent = { token: caller.token, sign: caller.secret, nonce: newNonce(), ...withReference(one) };
      fixture.waiting.seconds = 2.5;
      try {
        const reply = await send(fixture, one, sent);
        expectReply(reply, 503, { ...busy(one), ...own(one) });
        expect(reply.headers.get("retry-after")).toEqual(["3"]);
        expectRefused(one, await send(fixture, one, { ...sent, token: null }), "token_missing");
        expectRefused(one, await send(fixture, one, { ...sent, token: stranger.token }), "ip_not_allowed");
      } finally {
        fixture.waiting.seconds = 0;
      }
      // The same bytes now pass budget and signature.
      const later = await send(fixture, one, { ...sent, contentType: "text/plain" });
      expect(String(later.json()["error"])).not.toMatch(/^(?:busy|rate_limited|invalid_signature)$/);
      expect(fixture.underWay()).toBe(0);
    },
  );
});
