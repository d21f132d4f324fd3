import { afterAll, beforeAll, expect, test } from "vitest";
import { newAccount, type TestSettings, testSettings } from "../../accounts/testing/settings.ts";
import type { AuthContext } from "../context.ts";
import { changePassword } from "../passwords/change-password.ts";
import { acceptInvitation } from "../team/accept-invitation.ts";
import { changeMember } from "../team/change-member.ts";
import { invite } from "../team/invite.ts";
import { endSession } from "./end-sessions.ts";
import { findSession } from "./find-session.ts";
import { startSession } from "./start-session.ts";
import { grantView, startView } from "./view-portal.ts";

const browser = { address: "203.0.113.9", userAgent: "A test", devices: [] };
let settings: TestSettings;
let [portal, staff]: AuthContext[] = [];
let accountId: string;
beforeAll(async () => {
  settings = await testSettings();
  portal = { ...settings.ctx, realm: "portal" };
  staff = { ...settings.ctx, realm: "console" };
  ({ accountId } = await newAccount(settings.ctx));
});
afterAll(() => settings.close());

function contexts(): { readonly portal: AuthContext; readonly staff: AuthContext } {
  if (!portal || !staff) throw new Error("Not opened.");
  return { portal, staff };
}

type Staff = { readonly userId: string; readonly sessionId: string };

/** Somebody of the staff, with a whole session at the console. */
async function newStaff(email: string): Promise<Staff> {
  const invited = await invite(contexts().staff, "test", { accountId: null, email, role: "support" });
  if (invited.kind !== "done") throw new Error(invited.kind);
  const done = await acceptInvitation(contexts().staff, { token: invited.token, name: "Meera", password: "seven green lanterns", browser });
  if (done.kind !== "done") throw new Error(done.kind);
  const userId = (await findSession(contexts().staff, done.token))?.userId ?? "";
  const { sessionId } = await settings.ctx.sql.begin((tx) => startSession(tx, contexts().staff, { userId, stage: "full", browser }));
  return { userId, sessionId };
}

async function grantedTo(staff: Staff): Promise<string> {
  const link = await grantView(contexts().staff, { ...staff, actor: `staff:${staff.userId}` }, accountId);
  if (link.kind !== "done") throw new Error(link.kind);
  return link.token;
}

test("the link opens the portal once, for looking, and is nothing at the console", async () => {
  const staff = await newStaff("once@corprail.example");
  const { userId } = staff;
  const token = await grantedTo(staff);
  const opened = await Promise.all(Array.from({ length: 5 }, () => startView(contexts().portal, token, { browser, before: null })));
  const [session] = opened.filter((one) => one.kind === "done");
  expect(opened.filter((one) => one.kind === "done")).toHaveLength(1);
  expect(await findSession(contexts().portal, session?.token ?? "")).toMatchObject({ userId, accountId, viewing: true, stage: "full" });
  expect(await findSession(contexts().staff, session?.token ?? "")).toBeNull();
});

test("it is on record for whom and which account", async () => {
  const staff = await newStaff("trail@corprail.example");
  const { userId } = staff;
  await grantedTo(staff);
  const [entry] = await settings.ctx
    .sql`select action, details from audit_log where actor = ${`staff:${userId}`} order by seq desc limit 1`;
  expect(entry).toMatchObject({ action: "staff.viewed_as_client", details: expect.stringContaining(accountId) });
});

test("a link expires after a minute, a view after half an hour", async () => {
  const staff = await newStaff("late@corprail.example");
  const late = await grantedTo(staff);
  settings.clock.advance(60_001);
  expect(await startView(contexts().portal, late, { browser, before: null })).toEqual({ kind: "refused" });
  const opened = await startView(contexts().portal, await grantedTo(staff), { browser, before: null });
  const token = opened.kind === "done" ? opened.token : "";
  expect(await findSession(contexts().portal, token)).not.toBeNull();
  settings.clock.advance(30 * 60_000);
  expect(await findSession(contexts().portal, token)).toBeNull();
});

test("a person locked out of the console can no longer view the portal, and signing out ends the view", async () => {
  const staff = await newStaff("out@corprail.example");
  const { userId } = staff;
  const [unused, used] = [await grantedTo(staff), await startView(contexts().portal, await grantedTo(staff), { browser, before: null })];
  const token = used.kind === "done" ? used.token : "";
  const other = await startView(contexts().portal, await grantedTo(staff), { browser, before: null });
  const second = other.kind === "done" ? other.token : "";
  const session = await findSession(contexts().portal, second);
  expect(await endSession(contexts().portal, userId, session?.sessionId ?? "", "signed_out")).toEqual({ kind: "done" });
  expect(await findSession(contexts().portal, second)).toBeNull();
  await changeMember(contexts().staff, "test", { accountId: null, userId }, { disabled: true });
  expect(await findSession(contexts().portal, token)).toBeNull();
  expect(await startView(contexts().portal, unused, { browser, before: null })).toEqual({ kind: "refused" });
});

async function viewing(staff: Staff): Promise<string> {
  const opened = await startView(contexts().portal, await grantedTo(staff), { browser, before: null });
  if (opened.kind !== "done") throw new Error(opened.kind);
  expect(await findSession(contexts().portal, opened.token)).toMatchObject({ viewing: true });
  return opened.token;
}

test("a view ends with the console session it was started from: by sign-out, revocation and idleness", async () => {
  const [signedOut, idle] = [await newStaff("leaves@corprail.example"), await newStaff("idles@corprail.example")];
  const [view, unused] = [await viewing(signedOut), await grantedTo(signedOut)];
  await endSession(contexts().staff, signedOut.userId, signedOut.sessionId, "signed_out");
  expect(await findSession(contexts().portal, view)).toBeNull();
  expect(await startView(contexts().portal, unused, { browser, before: null })).toEqual({ kind: "refused" });
  const second = await viewing(idle);
  await settings.ctx.sql`
    update sessions set last_seen_at = last_seen_at - interval '13 hours' where session_id = ${idle.sessionId}`;
  expect(await findSession(contexts().portal, second)).toBeNull();
});

test("a view ends when the role may no longer look, and with a changed password", async () => {
  const staff = await newStaff("demoted@corprail.example");
  const [view, unused] = [await viewing(staff), await grantedTo(staff)];
  await changeMember(contexts().staff, "test", { accountId: null, userId: staff.userId }, { role: "auditor" });
  expect(await findSession(contexts().portal, view)).toBeNull();
  expect(await startView(contexts().portal, unused, { browser, before: null })).toEqual({ kind: "refused" });
  const other = await newStaff("password@corprail.example");
  const looked = await viewing(other);
  const [current, next] = ["seven green lanterns", "eight blue lanterns"];
  const input = { ...other, current, next, browser };
  expect(await changePassword(contexts().staff, input)).toEqual({ kind: "done" });
  expect(await findSession(contexts().portal, looked)).toBeNull();
});
