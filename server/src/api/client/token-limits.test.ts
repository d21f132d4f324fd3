import { afterAll, beforeAll, expect, test } from "vitest";
import { TOKEN_SCOPES } from "../../domain/accounts/credentials/token-scopes.ts";
import type { Route } from "../../domain/client-api/route.ts";
import { ALL_ROUTES, type Caller, createFixture, type Fixture, send } from "./testing/gate-fixture.ts";
import { TEST_ROUTES } from "./testing/test-routes.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture?.close());

const CLIENT_ROUTES = ALL_ROUTES.filter((one) => !TEST_ROUTES.includes(one));
const scopeOf = (one: Route) => (one.scope === undefined ? one.service : one.scope);
const routeOf = (method: string, path: string) => ALL_ROUTES.find((one) => one.method === method && one.path === path) as Route;

function limited(limits: Parameters<Fixture["limit"]>[1]): Caller {
  const caller = fixture.caller();
  fixture.limit(caller, limits);
  return caller;
}

async function call(caller: Caller, one: Route, more: Record<string, string> = {}) {
  const body = one.method === "POST" ? { body: JSON.stringify({ amount: "10.50", account: "9876543210", ...more }) } : {};
  return await send(fixture, one, { token: caller.token, sign: caller.secret, ...body });
}

test("every route has a scope that a token can have, and only the list of services needs none", () => {
  const unknown = CLIENT_ROUTES.filter((one) => !TOKEN_SCOPES.some((scope) => scope === scopeOf(one)));
  expect(unknown.map((one) => one.path)).toEqual(["/services"]);
  expect(new Set(CLIENT_ROUTES.map(scopeOf))).toEqual(new Set([...TOKEN_SCOPES, null]));
});

test("a token of another scope is refused on every route, signed or not, and nothing is carried out", async () => {
  for (const one of CLIENT_ROUTES) {
    const scope = scopeOf(one);
    if (scope === null) continue;
    const others = limited({ scopes: new Set(TOKEN_SCOPES.filter((other) => other !== scope)) });
    const reply = await call(others, one);
    expect({ path: one.path, status: reply.status }).toEqual({ path: one.path, status: one.kind === "transaction" ? 200 : 403 });
    expect(reply.json()).toMatchObject({ code: 331, message: expect.stringContaining("This API token is not allowed") });
  }
});

test("a recharge out of scope is answered as an ordinary failure that echoes the request", async () => {
  const reply = await call(limited({ scopes: new Set(["bus"]) }), routeOf("POST", "/recharge"), { urid: "U-1" });
  expect(reply.json()).toEqual({
    status: "failed",
    code: 331,
    order_id: "",
    urid: "U-1",
    operator_ref: null,
    amount: "10.50",
    account: "9876543210",
    balance: null,
    message: "This API token is not allowed to use this service. Use another token of the account.",
  });
});

test("a read-only token makes GET requests and no others", async () => {
  const reader = limited({ readOnly: true });
  for (const one of CLIENT_ROUTES.filter(({ method }) => method === "POST")) {
    const reply = await call(reader, one);
    expect(reply.json()).toMatchObject({ code: 331, message: expect.stringContaining("read-only") });
  }
  expect((await call(reader, routeOf("GET", "/test/pay"))).status).toBe(404);
  expect((await call(limited({ scopes: new Set(["bills"]) }), routeOf("GET", "/test/pay"))).status).toBe(404);
});

test("an expired token is answered like an unknown one, and the request is not in the account's log", async () => {
  const one = routeOf("GET", "/test/pay");
  const caller = limited({ expiresAt: Date.now() - 1 });
  const before = fixture.calls.length;
  const expired = await call(caller, one);
  const unknown = await send(fixture, one, { token: "tok_live_unknown" });
  expect([expired.status, expired.json()]).toEqual([unknown.status, unknown.json()]);
  expect(expired.json()).toMatchObject({ error: "token_invalid", code: 102 });
  expect(fixture.calls).toHaveLength(before);
  expect((await call(limited({ expiresAt: Date.now() + 60_000, tokenId: "T9" }), one)).status).toBe(404);
  await expect.poll(() => fixture.calls.at(-1)?.tokenId).toBe("T9");
});
