import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { endOtherSessions, endSession } from "../../../domain/auth/sessions/end-sessions.ts";
import { startSession } from "../../../domain/auth/sessions/start-session.ts";
import { grantView } from "../../../domain/auth/sessions/view-portal.ts";
import { changeMember } from "../../../domain/auth/team/change-member.ts";
import { streamAction } from "../action.ts";
import { PORTAL_ACTIONS } from "../portal-actions.ts";
import { createBrowser, newPerson, PASSWORD, type Person } from "../testing/browser.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

// Two processes on one database: what ends in the second must end in the first.
let fixture: PortalFixture;
let second: PortalFixture;
let accountId: string;
beforeAll(async () => {
  // A file that goes on and on, beside the routes there are.
  const endless = streamAction({
    ...{ path: "GET /endless", summary: "A file without an end.", roles: ["owner", "developer"], input: z.object({}) },
    mediaType: "text/csv",
    handler: async () => ({ kind: "file", name: "endless.csv", content: lines() }),
  });
  fixture = await createPortalFixture({ actions: [...PORTAL_ACTIONS, endless] });
  second = await createPortalFixture({ change: { ...fixture.ctx } });
  ({ accountId } = await fixture.newAccount());
  // Somebody who stays the account's owner.
  await newPerson(fixture, accountId);
});
afterAll(async () => {
  await second.close();
  await fixture.close();
});

async function* lines(): AsyncGenerator<string> {
  while (true) {
    yield "a line\n";
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

type Watched = { readonly person: Person; readonly sessionId: string };
const ctx = () => second.ctx.auth;

/** What ends somebody's session, or takes from it what it may see. */
const ENDS: Readonly<Record<string, (watched: Watched) => Promise<unknown>>> = {
  "signing out": ({ person: { userId }, sessionId }) => endSession(ctx(), userId, sessionId, "signed_out"),
  "revoking the session": ({ person: { userId }, sessionId }) => endSession(ctx(), userId, sessionId, "session_revoked"),
  "revoking the other sessions": ({ person: { userId } }) => endOtherSessions(ctx(), { userId, sessionId: "another" }),
  disabling: ({ person: { userId } }) => changeMember(ctx(), "test", { accountId, userId }, { disabled: true }),
  "another role": ({ person: { userId } }) => changeMember(ctx(), "test", { accountId, userId }, { role: "read_only" }),
  "a new password": async ({ person: { email } }) => {
    const browser = createBrowser(second);
    await browser.post("/sign-in", { email, password: PASSWORD });
    const changed = await browser.post("/password", { current: PASSWORD, next: "another quiet harbour" });
    expect(changed.status).toBe(200);
  },
};

/** Reads until the connection ends; how it ended does not matter. */
async function readToEnd(reply: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const part of reply.body ?? []) text += decoder.decode(part as Uint8Array, { stream: true });
  } catch {
    // A file that broke off.
  }
  return text;
}

test.each(Object.keys(ENDS))("%s ends the live view and the file that somebody is being sent", async (name) => {
  const person = await newPerson(fixture, accountId, "owner");
  const { sessions } = (await person.browser.get("/security")).body;
  const watched = { person, sessionId: sessions.find((one: { current: boolean }) => one.current).session_id };
  const headers = { cookie: `corprail_portal=${person.browser.cookie()}` };
  const replies = await Promise.all(["/logs/live", "/endless"].map((path) => fetch(`${fixture.base}/portal/api${path}`, { headers })));
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  const ended = Promise.all(replies.map(readToEnd));
  await ENDS[name]?.(watched);
  expect((await ended).every((text) => text !== "")).toBe(true);
});

test("who stays in is sent on", async () => {
  const person = await newPerson(fixture, accountId);
  const stop = new AbortController();
  const headers = { cookie: `corprail_portal=${person.browser.cookie()}` };
  const reply = await fetch(`${fixture.base}/portal/api/endless`, { headers, signal: stop.signal });
  let received = 0;
  for await (const part of reply.body ?? []) {
    received += (part as Uint8Array).length;
    // Longer than it takes to be asked about again twice.
    if (received >= "a line\n".length * 110) break;
  }
  stop.abort();
  expect(received).toBeGreaterThan(0);
});

test("a live view of staff in a client's portal ends when they sign out of the console", async () => {
  const staff = { ...fixture.ctx.auth, realm: "console" } as const;
  const at = new Date(fixture.ctx.clock.now());
  const user = { user_id: "UVIEWER", realm: "console", email: "viewer@corprail.example", name: "Vera", role: "support" };
  const { sql } = fixture.ctx;
  await sql`insert into users ${sql({ ...user, password_hash: "none", created_at: at, updated_at: at })}`;
  const browser = { address: "192.0.2.1", userAgent: "test", devices: [] };
  const { sessionId } = await sql.begin((tx) => startSession(tx, staff, { userId: "UVIEWER", stage: "full", browser }));
  const link = await grantView(staff, { userId: "UVIEWER", sessionId, actor: "staff:UVIEWER" }, accountId);
  if (link.kind !== "done") throw new Error(link.kind);
  const viewer = createBrowser(fixture);
  expect((await viewer.post("/view", { token: link.token })).status).toBe(200);
  const reply = await fetch(`${fixture.base}/portal/api/logs/live`, { headers: { cookie: `corprail_portal=${viewer.cookie()}` } });
  expect(reply.status).toBe(200);
  const ended = readToEnd(reply);
  await endSession(staff, "UVIEWER", sessionId, "signed_out");
  expect(await ended).toContain("open");
  expect((await viewer.get("/home")).status).toBe(401);
});

test("something that goes on by itself does not keep a session from becoming idle", async () => {
  const person = await newPerson(fixture, accountId);
  const seen = async () => (await person.browser.get("/security")).body.sessions[0].last_seen_at;
  const before = await seen();
  fixture.settings.clock.advance(5 * 60_000);
  const { sql } = fixture.ctx;
  const token = person.browser.cookie() ?? "";
  expect(await fixture.ctx.findSession(token, { seen: false })).not.toBeNull();
  const [row] = await sql<{ last_seen_at: Date }[]>`select last_seen_at from sessions where user_id = ${person.userId}`;
  expect(fixture.ctx.clock.now() - (row?.last_seen_at.getTime() ?? 0)).toBeGreaterThan(4 * 60_000);
  expect(await seen()).not.toBe(before);
});
