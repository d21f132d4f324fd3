import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { splitPath } from "../sites/actions/action.ts";
import { EVERYBODY } from "./access.ts";
import type { PortalAction } from "./action.ts";
import { PORTAL_ACTIONS } from "./portal-actions.ts";
import { createPortalFixture, type PortalFixture } from "./testing/fixture.ts";

// Tests the whole route table, so that a new route is covered automatically. No handler runs here.
const fixture = await createPortalFixture();
afterAll(() => fixture.close());
const { accountId } = await fixture.newAccount();
const origin = fixture.base;
type MemberAction = Exclude<PortalAction, { readonly roles: "anyone" }>;
const methodOf = (action: PortalAction) => splitPath(action).method;
const CHANGES = PORTAL_ACTIONS.filter((action) => methodOf(action) === "POST");
const MEMBERS = PORTAL_ACTIONS.filter((action): action is MemberAction => action.roles !== "anyone");

const named = <Named extends PortalAction>(actions: readonly Named[]) => actions.map((action) => [action.path, action] as const);
const pathOf = (action: PortalAction) => splitPath(action).url.replaceAll(/:\w+/g, "X1");

async function bare(action: PortalAction, headers: Record<string, string>) {
  const reply = await fetch(`${fixture.base}/portal/api${pathOf(action)}`, {
    method: methodOf(action),
    ...(methodOf(action) === "POST" ? { body: "{}" } : {}),
    headers: { ...(methodOf(action) === "POST" ? { "content-type": "application/json" } : {}), ...headers },
  });
  return { status: reply.status, body: (await reply.json()) as { error: string } };
}

const FORBIDDEN = { status: 403, body: { error: "forbidden" } };
const UNAUTHORIZED = { status: 401, body: { error: "unauthorized" } };

test("the table contains no route twice, and every route has a description", () => {
  const names = PORTAL_ACTIONS.map(({ path }) => path);
  expect(new Set(names).size).toBe(names.length);
  for (const { summary, path } of PORTAL_ACTIONS) {
    expect(summary.length).toBeGreaterThan(5);
    expect(path).toMatch(/^(?:GET|POST) (?:\/(?:[a-z0-9-]+|:[a-z_]+))+$/);
  }
});

describe.each(named(CHANGES))("%s", (_name, action) => {
  test("is refused for every origin but the site's own, for every role", async () => {
    const { session } = fixture.as("owner", accountId);
    const own = { "x-csrf-token": session.csrfToken };
    const foreign: Record<string, string>[] = [
      {},
      { origin: "null" },
      { origin: "https://evil.example" },
      { origin: origin.replace("http:", "https:") },
      { origin: origin.replace(/\d+$/, "1") },
      { origin: `${origin}.evil.example` },
      { origin, "sec-fetch-site": "cross-site" },
      { origin, "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreign) expect(await bare(action, { ...own, ...headers })).toMatchObject(FORBIDDEN);
  });
});

describe.each(named(MEMBERS))("%s", (_name, action) => {
  const call = (who: ReturnType<PortalFixture["as"]>, headers: Record<string, string> = {}) =>
    methodOf(action) === "GET" ? who.get(pathOf(action), headers) : who.post(pathOf(action), {}, headers);

  test("is refused without a session, with an unknown one, with two, and with an incomplete one", async () => {
    const token = randomBytes(32).toString("base64url");
    expect(await bare(action, { origin })).toMatchObject(UNAUTHORIZED);
    expect(await bare(action, { origin, cookie: `corprail_portal=${token}` })).toMatchObject(UNAUTHORIZED);
    const [owner, half] = [fixture.as("owner", accountId), fixture.as("owner", accountId, { stage: "half" })];
    expect(await call(half)).toMatchObject(UNAUTHORIZED);
    expect(await call(owner, { cookie: `corprail_portal=${token}; corprail_portal=${token}` })).toMatchObject(UNAUTHORIZED);
  });

  test("is refused for every role that is not listed", async () => {
    expect(action.roles.length).toBeGreaterThan(0);
    for (const role of EVERYBODY.filter((one) => !action.roles.includes(one)))
      expect(await call(fixture.as(role, accountId)), role).toMatchObject(FORBIDDEN);
  });

  test("is allowed for the owner", () => expect(action.roles).toContain("owner"));

  if (methodOf(action) === "POST" && action.roles.includes("read_only"))
    test("is refused for staff who view the portal", async () => {
      expect(await call(fixture.as("read_only", accountId, { viewing: true }))).toMatchObject(FORBIDDEN);
    });

  if (methodOf(action) === "POST")
    test("is refused without the session's CSRF token", async () => {
      const [owner, other] = [fixture.as("owner", accountId), fixture.as("owner", accountId)];
      for (const token of ["", "x", other.session.csrfToken, `${owner.session.csrfToken}x`])
        expect(await call(owner, { "x-csrf-token": token })).toMatchObject(FORBIDDEN);
    });

  if (action.proof === "recent")
    test("is refused when the last proof is older than five minutes", async () => {
      const provedAt = fixture.ctx.clock.now() - 5 * 60_000 - 1;
      for (const role of action.roles)
        expect(await call(fixture.as(role, accountId, { provedAt }))).toMatchObject({ status: 403, body: { error: "step_up_required" } });
    });
});

test("every route that changes users or their sign-in methods needs a fresh proof", () => {
  const proven = MEMBERS.filter(({ proof }) => proof === "recent").map((action) => splitPath(action).url);
  expect(proven).toEqual(
    expect.arrayContaining([
      "/password",
      "/security/totp/start",
      "/security/totp/disable",
      "/security/recovery-codes",
      "/security/passkeys/options",
      "/security/passkeys/:passkey_id/delete",
      "/team/invitations",
      "/team/invitations/:invitation_id/revoke",
      "/team/:user_id/role",
      "/team/:user_id/disable",
      "/team/:user_id/enable",
    ]),
  );
});
