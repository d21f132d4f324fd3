import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import type { Access } from "../access.ts";
import { EVERYBODY } from "../access.ts";
import { createConsoleFixture } from "./testing/fixture.ts";

// Tests all mounted routes, so that a new route is covered automatically. No handler runs here.
const fixture = await createConsoleFixture();
afterAll(() => fixture.close());
const origin = fixture.base;

type Call = { readonly method: "GET" | "POST"; readonly path: string; readonly access: Access };
const CALLS: readonly Call[] = fixture.routes.flatMap(({ method, url, config }) =>
  config?.access ? [{ method: method === "GET" ? "GET" : "POST", path: url.replaceAll(/:\w+/g, "X1"), access: config.access }] : [],
);
const named = (calls: readonly Call[]) => calls.map((call) => [`${call.method} ${call.path}`, call] as const);

async function ask({ method, path }: Call, headers: Record<string, string>) {
  const reply = await fetch(origin + path, {
    method,
    ...(method === "POST" ? { body: "{}" } : {}),
    headers: { ...(method === "POST" ? { "content-type": "application/json" } : {}), ...headers },
  });
  return { status: reply.status, body: (await reply.json()) as { error: string; request_id: string } };
}

const FORBIDDEN = { status: 403, body: { error: "forbidden", request_id: expect.any(String) } };
const UNAUTHORIZED = { status: 401, body: { error: "unauthorized" } };

test("every call of the operator API is at the console too", async () => {
  expect(CALLS.length).toBeGreaterThan(30);
  expect(new Set(CALLS.map(({ method, path }) => `${method} ${path}`)).size).toBe(CALLS.length);
  for (const { path } of CALLS) expect(path).toMatch(/^\/console\/api\//);
});

test("an operator key is refused at the console, and a session is refused at the operator API", async () => {
  const key = { authorization: `Bearer opk_${"k".repeat(43)}` };
  const call: Call = { method: "GET", path: "/console/api/accounts", access: { roles: EVERYBODY, fresh: false } };
  expect(await ask(call, key)).toMatchObject(UNAUTHORIZED);
  expect(await ask({ ...call, path: "/api/operator/v1/accounts" }, fixture.as("admin"))).toMatchObject(UNAUTHORIZED);
});

describe.each(named(CALLS))("%s", (_name, call) => {
  const { access, method } = call;

  test("is refused without a session, with an unknown one, with two, and with an incomplete one", async () => {
    const token = randomBytes(32).toString("base64url");
    const admin = fixture.as("admin");
    expect(await ask(call, { origin })).toMatchObject(UNAUTHORIZED);
    expect(await ask(call, { origin, cookie: `corprail_console=${token}` })).toMatchObject(UNAUTHORIZED);
    expect(await ask(call, { ...admin, cookie: `${admin["cookie"]}; corprail_console=${token}` })).toMatchObject(UNAUTHORIZED);
    expect(await ask(call, { ...admin, cookie: String(admin["cookie"]).replace("console", "portal") })).toMatchObject(UNAUTHORIZED);
    for (const stage of ["half", "enrol"] as const) expect(await ask(call, fixture.as("admin", { stage }))).toMatchObject(UNAUTHORIZED);
  });

  test("is allowed for the admin and refused for every role that is not listed", async () => {
    expect(access.roles).toContain("admin");
    for (const role of EVERYBODY.filter((one) => !access.roles.includes(one)))
      expect(await ask(call, fixture.as(role)), role).toMatchObject(FORBIDDEN);
  });

  if (method === "GET") return;

  test("is refused to every page but the console's own, and without the session's own token", async () => {
    const [own, other] = [fixture.as("admin"), fixture.as("admin")];
    const foreign = ["null", "https://evil.example", origin.replace("http:", "https:"), origin.replace(/\d+$/, "1")];
    for (const page of foreign) expect(await ask(call, { ...own, origin: page }), page).toMatchObject(FORBIDDEN);
    expect(await ask(call, { ...own, "sec-fetch-site": "cross-site" })).toMatchObject(FORBIDDEN);
    for (const token of ["", "x", String(other["x-csrf-token"])])
      expect(await ask(call, { ...own, "x-csrf-token": token })).toMatchObject(FORBIDDEN);
  });

  if (access.fresh)
    test("is refused when the last proof is older than five minutes", async () => {
      const provedAt = fixture.settings.clock.now() - 5 * 60_000 - 1;
      for (const role of access.roles)
        expect(await ask(call, fixture.as(role, { provedAt })), role).toMatchObject({ status: 403, body: { error: "step_up_required" } });
    });
});

test("the auditor changes nothing", () => {
  // The job's kind decides who may cancel it. Everybody marks entries of their own bell as read.
  const harmless = ["/console/api/audit/verify", "/console/api/jobs/X1/cancel", "/console/api/notifications/read"];
  const changes = CALLS.filter(
    ({ method, path, access }) => method === "POST" && access.roles.includes("auditor") && !harmless.includes(path),
  );
  expect(changes.map(({ path }) => path)).toEqual([]);
});

test("every route that moves money, shows a secret or changes users needs a fresh proof", () => {
  const sensitive =
    /\/(?:wallet|settle|reverse|refund|cancel|clear|token|secret|callback-secret|signing-secret|keys|staff\/.*|close|allowlist)$/;
  // Cancelling an export is none of these.
  const harmless = ["/console/api/jobs/X1/cancel"];
  const loose = CALLS.filter(
    ({ method, path, access }) => method === "POST" && sensitive.test(path) && !access.fresh && !harmless.includes(path),
  );
  expect(loose.map(({ path }) => path)).toEqual([]);
});
