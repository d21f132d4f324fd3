import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange, requestText } from "../../../../e2e/harness/raw-http.ts";
import type { Call } from "../../domain/api-log/call.ts";
import { storedBodies } from "../../domain/api-log/kept-bodies.ts";
import type { Route } from "../../domain/client-api/route.ts";
import { PREFIX } from "../client/route-table.ts";
import { ALL_ROUTES, allow, type Caller, createFixture, type Fixture, type Sent, send } from "../client/testing/gate-fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const callsOf = (caller: Caller) => fixture.calls.filter((call) => call.account.accountId === caller.account.accountId);
const balance = ALL_ROUTES.find((route) => route.path === "/balance") as Route;
const recharge = ALL_ROUTES.find((route) => route.path === "/recharge" && route.method === "POST") as Route;

async function recorded(route: Route, caller: Caller, sent: Sent): Promise<Call> {
  await send(fixture, route, { token: caller.token, ...sent });
  const calls = callsOf(caller);
  expect(calls).toHaveLength(1);
  return calls[0] as Call;
}

describe.each(ALL_ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))("%s", (_name, route) => {
  test("a request that no budget limits has the route, the caller and the result, and no bodies", async () => {
    const caller = fixture.caller({ getPerMinute: 0, moneyPerMinute: 0, logBodies: "all" });
    const body = route.method === "POST" ? '{"secret_note":"never kept"}' : "";
    const call = await recorded(route, caller, { body, sign: caller.secret });
    expect(call).toMatchObject({
      method: route.method,
      path: PREFIX + route.path,
      status: 429,
      error: "rate_limited",
      code: 123,
      isFault: false,
      bodies: null,
    });
    expect(call.address.toString()).toBe("127.0.0.1");
  });

  test("of the bodies of a failed request only what masking leaves is kept", async () => {
    const caller = fixture.caller();
    const body = route.method === "POST" ? '{"secret_note":"never kept"}' : "";
    const call = await recorded(route, caller, { body, sign: "sig_wrong" });
    const stored = call.bodies && storedBodies(call.bodies);
    const kept = route.method === "POST" ? "secret_note" : "";
    expect(stored?.request).toContain(route.path.startsWith("/aeps/") ? "[not kept]" : kept);
    expect(JSON.stringify({ ...call, account: null, bodies: stored })).not.toContain("never kept");
  });
});

test("an entry names the key that signed: the current secret, a replaced one, the token, or none", async () => {
  const current = fixture.caller();
  expect((await recorded(balance, current, { sign: current.secret })).signedBy).toEqual({ how: "secret", credentialId: "C1" });
  const base = fixture.caller();
  const replaced = base.account.signingSecrets.map((secret) => ({ ...secret, expiresAt: Date.now() + 60_000 }));
  const old = { ...fixture.caller({ signingSecrets: replaced }), secret: base.secret };
  expect((await recorded(balance, old, { sign: old.secret })).signedBy).toEqual({ how: "old_secret", credentialId: "C1" });
  const earlier = fixture.caller();
  expect((await recorded(recharge, earlier, { sign: earlier.token, body: "{}" })).signedBy).toEqual({ how: "token" });
  const none = fixture.caller();
  expect((await recorded(balance, none, {})).signedBy).toBeNull();
});

test("a request from a refused address is logged for its account, one with an unknown token is not logged", async () => {
  const caller = fixture.caller({ allowlist: allow("192.0.2.1") });
  expect(await recorded(balance, caller, {})).toMatchObject({ status: 403, error: "ip_not_allowed", code: 2428 });
  const before = fixture.calls.length;
  await send(fixture, balance, { token: "tok_live_unknown" });
  await send(fixture, balance, {});
  expect(fixture.calls.length).toBe(before);
});

test("for a refused signature the entry has the six lines that the service computed and the reason, but no key", async () => {
  const caller = fixture.caller();
  const body = '{"urid":"u-9"}';
  const sent = {
    sign: "sig_wrong",
    body,
    timestamp: String(Math.floor(Date.now() / 1000)),
    nonce: "n-1",
    query: [
      ["b", "x y"],
      ["a", "1"],
    ] as const,
  };
  const call = await recorded(recharge, caller, sent);
  expect(call).toMatchObject({ status: 401, error: "invalid_signature", code: 113, reference: "u-9", signedBy: null });
  expect(call.lines).toEqual({
    method: "POST",
    path: "/api/corp/v1/recharge",
    canonicalQuery: "a=1&b=x%20y",
    bodySha256: createHash("sha256").update(body).digest("hex"),
    timestamp: sent.timestamp,
    nonce: "n-1",
    reason: expect.stringContaining("does not match"),
  });
  const unsigned = fixture.caller({ signingRequired: true });
  expect((await recorded(balance, unsigned, {})).lines).toMatchObject({ timestamp: "", nonce: "", canonicalQuery: "" });
});

test("a request for an unknown path is logged for the account of its token, without long path segments", async () => {
  const caller = fixture.caller();
  const ask = (path: string, token: string) =>
    exchange(
      fixture.port,
      requestText("GET", path, [
        ["Host", "a"],
        ["X-Api-Token", token],
      ]),
    );
  await ask(`${PREFIX}/nowhere/${"x".repeat(60)}?token=${caller.token}`, caller.token);
  await ask(`${PREFIX}/nowhere`, "tok_live_unknown");
  expect(callsOf(caller)).toHaveLength(1);
  expect(callsOf(caller)[0]).toMatchObject({
    path: `${PREFIX}/nowhere/[long]`,
    status: 404,
    error: "not_found",
    isFault: true,
    signedBy: null,
  });
});
