import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newAccount, type TestSettings, testSettings } from "../../accounts/testing/settings.ts";
import type { Realm } from "../context.ts";
import { personActor } from "../record.ts";
import { startSession } from "../sessions/start-session.ts";
import { insertUser } from "../store.ts";
import { linkToConfigurer } from "../team/access-grants.ts";
import { changeMember } from "../team/change-member.ts";
import { startTestIssuer, type TestIssuer } from "../testing/test-issuer.ts";
import { setBreakGlass } from "./break-glass.ts";
import { findMember } from "./find-member.ts";
import type { ProviderSettings } from "./identity-provider.ts";
import { createOidc } from "./oidc.ts";
import { type Changer, type SaveProvider, saveProvider } from "./save-provider.ts";
import type { SignOnContext } from "./start-sign-on.ts";
import { findProvider, readDomains, replaceDomains } from "./store.ts";

const HOUR = 60 * 60 * 1000;
const browser = { address: "203.0.113.9", userAgent: "A test", devices: [] };

let settings: TestSettings;
let issuers: TestIssuer[];
let accountId: string;
let domain: string;
let contexts: Readonly<Record<Realm, SignOnContext>>;
const CONFIGURER = "staff:Uconfigurer";
const BY: Changer = { actor: CONFIGURER, person: CONFIGURER, sessionId: null };

beforeAll(async () => {
  settings = await testSettings();
  issuers = [await startTestIssuer(), await startTestIssuer()];
  const oidc = createOidc({ fetch, clock: settings.ctx.clock, allowsHttp: () => true, keyMilliseconds: 0 });
  contexts = { portal: { ...settings.ctx, realm: "portal", oidc }, console: { ...settings.ctx, realm: "console", oidc } };
});
afterAll(async () => {
  await Promise.all(issuers.map((issuer) => issuer.close()));
  await settings.close();
});
beforeEach(async () => {
  ({ accountId } = await newAccount(settings.ctx));
  domain = `d${randomBytes(4).toString("hex")}.example`;
});

type Saved = Partial<ProviderSettings> & Pick<SaveProvider, "domains" | "clientSecret">;

async function save(realm: Realm, { domains = [domain], clientSecret, ...change }: Saved = {}) {
  const chosen = { name: "Acme", issuer: issuers[0]?.issuer ?? "", client_id: "corprail", role_claim: null, role_map: [] };
  const rest = { grants_manager: true, creates_members: true, second_factor: "local", enforced: false, enabled: true } as const;
  const default_role = realm === "console" ? "auditor" : "read_only";
  const input = { settings: { ...chosen, ...rest, default_role, ...change } as ProviderSettings, domains, clientSecret };
  return await saveProvider(contexts[realm], BY, { accountId: realm === "portal" ? accountId : null, ...input }, true);
}

async function newUser(realm: Realm, role: "owner" | "admin" | "auditor", name: string): Promise<string> {
  const at = new Date(settings.ctx.clock.now());
  const user_id = `U${settings.ctx.ids.entry(at.getTime())}`;
  const account_id = realm === "portal" ? accountId : null;
  const user = { user_id, realm, account_id, email: `${name}@${domain}`, name, role, password_hash: "set", created_at: at };
  expect(await settings.ctx.sql.begin((tx) => insertUser(tx, user))).toBe(true);
  return user_id;
}

/** Signs in through the provider of staff, as far as the membership is concerned. */
async function signInStaff(name: string, claims: Record<string, string> = {}) {
  const ctx = contexts.console;
  const identity = { subject: name, email: `${name}@${domain}`, emailVerified: true, name, sessionId: null, authenticatedAt: null, claims };
  return await ctx.sql.begin(async (tx) => {
    const provider = await findProvider(tx, { realm: "console", accountId: null });
    if (!provider) throw new Error("Save it first.");
    const user = await findMember(tx, ctx, provider, identity);
    if ("kind" in user) throw new Error(user.why);
    await linkToConfigurer(tx, { realm: "console", userId: user.user_id, provider });
    return user;
  });
}

async function isLinked(userId: string): Promise<boolean> {
  const { sql, clock } = settings.ctx;
  const [row] = await sql<{ linked: boolean }[]>`
    select have_access_link(${CONFIGURER}, ${personActor("console", userId)}, ${new Date(clock.now() - 24 * HOUR)}) as linked`;
  return row?.linked ?? false;
}

async function openSession(userId: string, providerId: string | null): Promise<string> {
  const of = { identity_provider_id: providerId, identity_subject: "s", identity_session_id: null };
  const identity = providerId === null ? {} : { identity: { ...of, identity_provider_id: providerId } };
  const input = { userId, stage: "full", browser, ...identity } as const;
  return (await settings.ctx.sql.begin((tx) => startSession(tx, contexts.portal, input))).sessionId;
}

async function sessionsOf(userId: string): Promise<readonly string[]> {
  const rows = await settings.ctx.sql<{ session_id: string }[]>`select session_id from sessions where user_id = ${userId}`;
  return rows.map(({ session_id }) => session_id);
}

test("who configures the provider is linked to everybody from their first sign-in on, however long they wait", async () => {
  const colleague = await newUser("console", "admin", "binu");
  expect(await save("console", { default_role: null })).toEqual({ kind: "done" });
  settings.clock.advance(25 * HOUR);
  expect((await signInStaff("binu")).user_id).toBe(colleague);
  expect(await isLinked(colleague)).toBe(true);
  // Later sign-ins of the same identity do not prolong it.
  settings.clock.advance(25 * HOUR);
  await signInStaff("binu");
  expect(await isLinked(colleague)).toBe(false);
  expect(await save("console", { default_role: null, name: "Renamed" })).toEqual({ kind: "done" });
  await signInStaff("binu");
  expect(await isLinked(colleague)).toBe(true);
});

test("a member whom a claim creates, or to whom it gives another role, is linked to who configured the provider", async () => {
  const role_map = [
    { value: "boss", role: "admin" },
    { value: "reader", role: "auditor" },
  ] as const;
  expect(await save("console", { default_role: null, role_claim: "group", role_map })).toEqual({ kind: "done" });
  settings.clock.advance(25 * HOUR);
  const { user_id: userId, role } = await signInStaff("jit", { group: "reader" });
  expect([role, await isLinked(userId)]).toEqual(["auditor", true]);
  settings.clock.advance(25 * HOUR);
  expect(await isLinked(userId)).toBe(false);
  expect((await signInStaff("jit", { group: "boss" })).role).toBe("admin");
  expect(await isLinked(userId)).toBe(true);
});

test("a refused change leaves the domains as they are", async () => {
  const owner = { realm: "portal", accountId } as const;
  await settings.ctx.sql.begin((tx) => replaceDomains(tx, owner, [domain]));
  await newUser("portal", "owner", "asha");
  // There is no emergency account.
  expect(await save("portal", { enforced: true, domains: [`other-${domain}`] })).toMatchObject({ kind: "conflict" });
  expect(await readDomains(settings.ctx.sql, owner)).toEqual([domain]);
});

test("a stored secret is never kept for another issuer", async () => {
  const owner = { realm: "portal", accountId } as const;
  const other = issuers[1]?.issuer ?? "";
  expect(await save("portal", { clientSecret: "s3cret" })).toEqual({ kind: "done" });
  expect(await save("portal", { name: "Kept" })).toEqual({ kind: "done" });
  expect((await findProvider(settings.ctx.sql, owner))?.sealed).not.toBeNull();
  expect(await save("portal", { issuer: other })).toMatchObject({ kind: "invalid", fields: { client_secret: expect.any(String) } });
  expect(await save("portal", { issuer: other, clientSecret: null })).toEqual({ kind: "done" });
  expect(await findProvider(settings.ctx.sql, owner)).toMatchObject({ issuer: other, sealed: null });
});

test("sessions of the provider end when its issuer changes or it is switched off; others stay", async () => {
  expect(await save("portal")).toEqual({ kind: "done" });
  const userId = await newUser("portal", "owner", "asha");
  const local = await openSession(userId, null);
  for (const change of [{ issuer: issuers[1]?.issuer ?? "" }, { issuer: issuers[1]?.issuer ?? "", enabled: false }]) {
    const through = await openSession(userId, accountId);
    expect(await sessionsOf(userId)).toContain(through);
    expect(await save("portal", change)).toEqual({ kind: "done" });
    expect(await sessionsOf(userId)).toEqual([local]);
  }
});

test("the last emergency account is neither disabled nor demoted while single sign-on is enforced", async () => {
  const ctx = contexts.portal;
  const [first, second] = [await newUser("portal", "owner", "asha"), await newUser("portal", "owner", "binu")];
  const member = { accountId, userId: first };
  expect(await setBreakGlass(ctx, "test", member, true)).toEqual({ kind: "done" });
  expect(await save("portal", { enforced: true })).toEqual({ kind: "done" });
  const last = { kind: "conflict", reason: expect.stringContaining("last owner who is an emergency account") };
  expect(await changeMember(ctx, "test", member, { disabled: true })).toEqual(last);
  expect(await changeMember(ctx, "test", member, { role: "developer" })).toEqual(last);
  expect(await setBreakGlass(ctx, "test", { accountId, userId: second }, true)).toEqual({ kind: "done" });
  expect(await changeMember(ctx, "test", member, { disabled: true })).toEqual({ kind: "done" });
});
