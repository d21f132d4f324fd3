import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { replaceCallbackSecret } from "../../../domain/accounts/credentials/replace-callback-secret.ts";
import { replaceSigningSecret } from "../../../domain/accounts/credentials/replace-signing-secret.ts";
import { replaceToken } from "../../../domain/accounts/credentials/replace-token.ts";
import { readNames } from "../../../domain/accounts/read-names.ts";
import { replaceAllowlist } from "../../../domain/accounts/replace-allowlist.ts";
import { resetFactors } from "../../../domain/auth/factors/reset-factors.ts";
import { setBreakGlass } from "../../../domain/auth/single-sign-on/break-glass.ts";
import { assignDomains, removeProvider, saveProvider } from "../../../domain/auth/single-sign-on/save-provider.ts";
import { changeMember } from "../../../domain/auth/team/change-member.ts";
import { invite } from "../../../domain/auth/team/invite.ts";
import type { Mail } from "../../../platform/mail/mailer.ts";
import { newPerson, type Person } from "../testing/browser.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";
import { type NoticesContext, tellOwners } from "./notify-owners.ts";

let fixture: PortalFixture;
let accountId: string;
let apiToken: string;
let [asha, binu, dev]: Person[] = [];
let mails: Mail[] = [];
let isUp = true;
let ctx: NoticesContext;
beforeAll(async () => {
  fixture = await createPortalFixture();
  const { sql, clock, ids } = fixture.ctx;
  const accountName = async (id: string) => (await readNames(sql, [id])).get(id) ?? null;
  ctx = { sql, usersSql: sql, accountName, clock, ids, mail: { send: async (mail) => isUp && mails.push(mail) > 0 } };
  ({ accountId, apiToken } = await fixture.newAccount({ name: "Asha Stores" }));
  [asha, binu] = [await newPerson(fixture, accountId), await newPerson(fixture, accountId)];
  dev = await newPerson(fixture, accountId, "developer");
});
afterAll(() => fixture.close());
beforeEach(async () => {
  isUp = true;
  await tellOwners(ctx);
  mails = [];
});

const recipients = () => mails.map(({ to }) => to).sort();
const both = () => [asha?.email ?? "", binu?.email ?? ""].sort();
const by = (one: Person | undefined) => `user:${one?.userId}`;

const signOnContext = () => ({ ...fixture.ctx.auth, oidc: fixture.ctx.oidc });
const emergency = () => ({ accountId, userId: dev?.userId ?? "" });

/** Switched off, so that nothing is read from it. */
async function saveIdentityProvider() {
  const chosen = { name: "Acme", issuer: "https://id.example", client_id: "c", role_claim: null, role_map: [], default_role: null };
  const rest = { grants_manager: false, creates_members: false, second_factor: "local", enforced: false, enabled: false } as const;
  const by = { actor: "staff:U1", person: null, sessionId: null };
  const input = { accountId, settings: { ...chosen, ...rest }, clientSecret: "sig_hidden" };
  expect(await saveProvider(signOnContext(), by, input, true)).toEqual({ kind: "done" });
  return input;
}

test.each<[string, RegExp, () => Promise<unknown>]>([
  ["a token", /token was replaced/, () => replaceToken(fixture.ctx, "staff:U1", { accountId })],
  ["a signing secret", /signing secret/, () => replaceSigningSecret(fixture.ctx, "key:K1", { accountId })],
  ["a callback secret", /callback secret/, () => replaceCallbackSecret(fixture.ctx, "operator-key", { accountId })],
  ["an address", /now reads: 192\.0\.2\.7/, () => replaceAllowlist(fixture.ctx, "staff:U1", { accountId, entries: ["192.0.2.7"] })],
  [
    "a callback URL",
    /callback URL is now: https:\/\/evil\.example/,
    () => changeAccount(fixture.ctx, "staff:U1", { accountId, callbackUrl: "https://evil.example/cb" }),
  ],
  [
    "an invitation",
    /new@shop\.example was invited to the portal as owner/,
    () => invite(fixture.ctx.auth, "staff:U1", { accountId, email: "new@shop.example", role: "owner" }),
  ],
  [
    "a reset second factor",
    /second factor of .* was reset/,
    () => resetFactors(fixture.ctx.auth, "staff:U1", { accountId, userId: dev?.userId ?? "" }),
  ],
  [
    "an email domain",
    /single sign-on are now: shop\.example\./,
    () => assignDomains(signOnContext(), { actor: "staff:U1", person: null, sessionId: null }, accountId, ["shop.example"]),
  ],
  ["an identity provider", /Acme \(https:\/\/id\.example\) was saved\. Single sign-on is not enforced/, () => saveIdentityProvider()],
  [
    "its removal",
    /Acme \(https:\/\/id\.example\) was removed/,
    () => removeProvider(signOnContext(), { actor: "staff:U1", person: null, sessionId: null }, accountId),
  ],
  ["an emergency account", /can sign in with a password while/, () => setBreakGlass(fixture.ctx.auth, "staff:U1", emergency(), true)],
  ["its end", /no longer an emergency account/, () => setBreakGlass(fixture.ctx.auth, "staff:U1", emergency(), false)],
])("every owner gets a mail about %s that staff or a key changed, once, and without a secret", async (_, words, act) => {
  const made = JSON.stringify(await act());
  await Promise.all([tellOwners(ctx), tellOwners(ctx), tellOwners(ctx)]);
  expect(recipients()).toEqual(both());
  for (const { subject, text } of mails) {
    expect(subject).toContain("Asha Stores: ");
    expect(text).toMatch(words);
    expect(text).toContain("By: the staff of the payment platform");
    for (const secret of made.match(/(?:tok_|sig_|cbk_|inv_)[\w-]+/g) ?? []) expect(text).not.toContain(secret);
    expect(text).not.toContain(apiToken);
  }
});

test("a person who joins after an invitation gets no mail about it", async () => {
  await invite(fixture.ctx.auth, "staff:U1", { accountId, email: "later@shop.example", role: "owner" });
  fixture.settings.clock.advance(1_000);
  const later = await newPerson(fixture, accountId);
  await tellOwners(ctx);
  const ofInvitation = mails.filter(({ text }) => text.includes("later@shop.example was invited"));
  expect(ofInvitation.map(({ to }) => to).sort()).toEqual(both());
  await changeMember(fixture.ctx.auth, "staff:U1", { accountId, userId: later.userId }, { disabled: true });
});

test("other owners get a mail about an owner's change, all owners about a developer's change", async () => {
  await replaceToken(fixture.ctx, by(asha), { accountId });
  await tellOwners(ctx);
  expect(recipients()).toEqual([binu?.email]);
  expect(mails[0]?.text).toContain("By: Asha Rao");
  mails = [];
  await replaceToken(fixture.ctx, by(dev), { accountId });
  await tellOwners(ctx);
  expect(recipients()).toEqual(both());
});

test("owners get a mail when somebody joins, and a removed owner gets one too", async () => {
  const third = await newPerson(fixture, accountId);
  await tellOwners(ctx);
  expect(
    mails
      .filter(({ subject }) => subject.endsWith("somebody joined the portal"))
      .map(({ to }) => to)
      .sort(),
  ).toEqual(both());
  mails = [];
  await changeMember(fixture.ctx.auth, by(asha), { accountId, userId: third.userId }, { disabled: true });
  await tellOwners(ctx);
  expect(recipients()).toEqual([binu?.email, third.email].sort());
});

test("a change of anything but credentials, addresses or people sends no mail", async () => {
  await changeAccount(fixture.ctx, "staff:U1", { accountId, moneyPerMinute: 77 });
  const other = await fixture.newAccount();
  await replaceToken(fixture.ctx, "staff:U1", { accountId: other.accountId });
  await tellOwners(ctx);
  expect(mails).toEqual([]);
});

test("a mail that no server took is tried again, later each time, and not for ever", async () => {
  isUp = false;
  await replaceToken(fixture.ctx, "staff:U1", { accountId });
  await tellOwners(ctx);
  isUp = true;
  await tellOwners(ctx);
  expect(mails).toEqual([]);
  fixture.settings.clock.advance(6 * 60_000);
  await tellOwners(ctx);
  expect(recipients()).toEqual(both());
  isUp = false;
  await replaceToken(fixture.ctx, "staff:U1", { accountId });
  for (let round = 0; round < 12; round++) {
    await tellOwners(ctx);
    fixture.settings.clock.advance(13 * 60 * 60_000);
  }
  expect(await ctx.sql`select 1 from owner_notices`).toHaveLength(0);
});
