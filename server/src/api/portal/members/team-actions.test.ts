import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../../../../e2e/harness/deadline.ts";
import type { Agreed } from "../../../domain/approvals/approval.ts";
import { manualChangeContext } from "../../../domain/approvals/executors/manual-change-context.ts";
import { money } from "../../../domain/orders/testing/fixture.ts";
import { topUp } from "../../../domain/orders/top-up.ts";
import { createBrowser, newPerson, PASSWORD, type Person } from "../testing/browser.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
});
afterAll(() => fixture.close());

async function ownedAccount(): Promise<{ accountId: string; owner: Person }> {
  const { accountId } = await fixture.newAccount();
  return { accountId, owner: await newPerson(fixture, accountId) };
}

const tokenIn = (link: string) => link.slice(link.indexOf("#") + 1);
const accept = (token: string, name = "Ravi Iyer") =>
  createBrowser(fixture).post("/invitations/accept", { token, name, password: PASSWORD });

let invited = 0;
const nextEmail = () => `ravi${++invited}@shop.example`;

test("an owner invites somebody by a link that is mailed as well, and who opens it becomes a member", async () => {
  const { owner } = await ownedAccount();
  const email = nextEmail();
  const { status, body } = await owner.browser.post("/team/invitations", { email: ` ${email.toUpperCase()}`, role: "developer" });
  expect(status).toBe(200);
  expect(body.link).toMatch(new RegExp(`^${fixture.base}/portal/invite#inv_[\\w-]{43}$`));
  const mail = await until("the mail is sent", () => fixture.mails.find(({ to }) => to === email));
  expect(mail.text).toContain(body.link);
  const looked = await createBrowser(fixture).post("/invitations/lookup", { token: tokenIn(body.link) });
  expect(looked.body).toEqual({ email, account_name: "Asha Stores", role: "developer", expires_at: body.expires_at });
  const browser = createBrowser(fixture);
  expect((await browser.post("/invitations/accept", { token: tokenIn(body.link), name: "Ravi Iyer", password: PASSWORD })).status).toBe(
    200,
  );
  expect((await browser.get("/session")).body.user).toMatchObject({ email, name: "Ravi Iyer", role: "developer" });
  const team = (await owner.browser.get("/team")).body;
  expect(team.invitations).toEqual([]);
  expect(team.members.map((member: { email: string }) => member.email)).toEqual([owner.email, email]);
  expect(team.members[1]).toEqual({
    user_id: expect.any(String),
    email,
    name: "Ravi Iyer",
    role: "developer",
    status: "active",
    second_factor: false,
    single_sign_on: false,
    break_glass: false,
    last_seen_at: expect.any(String),
  });
});

test("an invitation is never mailed with the host of the request", async () => {
  const { accountId } = await fixture.newAccount();
  const { headers } = fixture.as("owner", accountId);
  const invited = async (host: string): Promise<{ readonly status: number | undefined; readonly email: string }> => {
    const email = nextEmail();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const own = { ...headers, host, origin: `http://${host}`, "content-type": "application/json" };
      const sent = request(`${fixture.base}/portal/api/team/invitations`, { method: "POST", headers: own });
      sent.once("response", (reply) => resolve(reply.resume().statusCode)).once("error", reject);
      sent.end(JSON.stringify({ email, role: "developer" }));
    });
    return { status, email };
  };
  // The inviting member still gets the link to pass on.
  const named = await invited("evil.example");
  expect(named.status).toBe(200);
  const { email } = await invited(new URL(fixture.base).host);
  await until("the later one is mailed", () => fixture.mails.find(({ to }) => to === email));
  expect(fixture.mails.filter(({ to, text }) => to === named.email || text.includes("evil.example"))).toEqual([]);
});

test("only the digest of an invitation's token is kept", async () => {
  const { owner } = await ownedAccount();
  const { link } = (await owner.browser.post("/team/invitations", { email: nextEmail(), role: "developer" })).body;
  const rows = await fixture.ctx.sql<{ row: string }[]>`select invitations::text as row from invitations`;
  const token = tokenIn(link);
  for (const form of [token, Buffer.from(token).toString("hex"), Buffer.from(token.slice(4), "base64url").toString("hex")])
    expect(JSON.stringify(rows)).not.toContain(form);
});

test("however many accept one invitation at once, it makes one user", async () => {
  const { owner } = await ownedAccount();
  const { link } = (await owner.browser.post("/team/invitations", { email: nextEmail(), role: "operations" })).body;
  const answers = await Promise.all(Array.from({ length: 6 }, () => accept(tokenIn(link))));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
  expect((await accept(tokenIn(link))).status).toBe(404);
  expect((await owner.browser.get("/team")).body.members).toHaveLength(2);
});

test("an invitation ends after seven days, when it is taken back, and when a newer one takes its place", async () => {
  const { owner, accountId } = await ownedAccount();
  const other = await ownedAccount();
  const email = nextEmail();
  const send = async () => tokenIn((await owner.browser.post("/team/invitations", { email, role: "read_only" })).body.link);
  const first = await send();
  const second = await send();
  expect((await accept(first)).status).toBe(404);
  const [{ invitation_id: id }] = (await owner.browser.get("/team")).body.invitations;
  expect((await other.owner.browser.post(`/team/invitations/${id}/revoke`)).status).toBe(404);
  expect((await owner.browser.post(`/team/invitations/${id}/revoke`)).status).toBe(200);
  expect((await owner.browser.post(`/team/invitations/${id}/revoke`)).status).toBe(404);
  expect((await accept(second)).status).toBe(404);
  const third = await send();
  fixture.settings.clock.advance(7 * 24 * 60 * 60_000);
  expect((await accept(third)).status).toBe(404);
  expect((await createBrowser(fixture).post("/invitations/lookup", { token: third })).status).toBe(404);
  expect((await fixture.as("owner", accountId).get("/team")).body.invitations).toEqual([]);
});

test("a member is not invited twice, and an address with a user elsewhere cannot be taken over", async () => {
  const [mine, theirs] = [await ownedAccount(), await ownedAccount()];
  expect((await mine.owner.browser.post("/team/invitations", { email: mine.owner.email, role: "owner" })).status).toBe(409);
  const { link } = (await mine.owner.browser.post("/team/invitations", { email: theirs.owner.email, role: "owner" })).body;
  expect((await accept(tokenIn(link))).status).toBe(409);
  expect((await theirs.owner.browser.get("/session")).body.account.account_id).toBe(theirs.accountId);
});

test("a weak password does not use the invitation up", async () => {
  const { owner } = await ownedAccount();
  const { link } = (await owner.browser.post("/team/invitations", { email: nextEmail(), role: "developer" })).body;
  const weak = await createBrowser(fixture).post("/invitations/accept", { token: tokenIn(link), name: "Ravi", password: "password1234" });
  expect(weak).toMatchObject({ status: 400, body: { fields: { password: "Is too easy to guess." } } });
  expect((await accept(tokenIn(link))).status).toBe(200);
});

test("a change of role holds at the member's next request", async () => {
  const { accountId, owner } = await ownedAccount();
  const member = await newPerson(fixture, accountId, "owner");
  const invite = () => member.browser.post("/team/invitations", { email: "x", role: "owner" });
  expect((await invite()).status).toBe(400);
  expect((await owner.browser.post(`/team/${member.userId}/role`, { role: "read_only" })).status).toBe(200);
  expect((await invite()).status).toBe(403);
  expect((await member.browser.get("/session")).body.user.role).toBe("read_only");
});

test("who is disabled is signed out everywhere and stays out until enabled", async () => {
  const { accountId, owner } = await ownedAccount();
  const member = await newPerson(fixture, accountId, "developer");
  expect((await owner.browser.post(`/team/${member.userId}/disable`)).status).toBe(200);
  expect((await member.browser.get("/team")).status).toBe(401);
  const sign = () => createBrowser(fixture).post("/sign-in", { email: member.email, password: PASSWORD });
  expect((await sign()).status).toBe(401);
  expect((await owner.browser.get("/team")).body.members[1].status).toBe("disabled");
  expect((await owner.browser.post(`/team/${member.userId}/enable`)).status).toBe(200);
  expect((await member.browser.get("/team")).status).toBe(401);
  expect((await sign()).status).toBe(200);
});

test("the last active owner is neither demoted nor disabled", async () => {
  const { accountId, owner } = await ownedAccount();
  const second = await newPerson(fixture, accountId, "owner");
  await owner.browser.post(`/team/${second.userId}/disable`);
  for (const [path, body] of [
    ["disable", {}],
    ["role", { role: "developer" }],
  ] as const)
    expect(await owner.browser.post(`/team/${owner.userId}/${path}`, body)).toMatchObject({ status: 409, body: { error: "conflict" } });
});

test("two owners that demote and disable each other at once leave one", async () => {
  for (let round = 0; round < 4; round++) {
    const { accountId, owner } = await ownedAccount();
    const second = await newPerson(fixture, accountId, "owner");
    await Promise.all([
      owner.browser.post(`/team/${second.userId}/role`, { role: "developer" }),
      second.browser.post(`/team/${owner.userId}/disable`),
      owner.browser.post(`/team/${owner.userId}/role`, { role: "read_only" }),
      second.browser.post(`/team/${second.userId}/disable`),
    ]);
    const rows = await fixture.ctx.sql`select 1 from users where account_id = ${accountId} and role = 'owner' and disabled_at is null`;
    expect(rows).toHaveLength(1);
  }
});

test("another account's people do not exist here", async () => {
  const [mine, theirs] = [await ownedAccount(), await ownedAccount()];
  for (const [path, body] of [
    ["disable", {}],
    ["enable", {}],
    ["role", { role: "read_only" }],
  ] as const)
    expect((await mine.owner.browser.post(`/team/${theirs.owner.userId}/${path}`, body)).status).toBe(404);
  expect((await theirs.owner.browser.get("/session")).body.user.role).toBe("owner");
});

test("the audit shows what was done to the account and by its people, and nothing of others", async () => {
  const [mine, theirs] = [await ownedAccount(), await ownedAccount()];
  const member = await newPerson(fixture, mine.accountId, "developer");
  await mine.owner.browser.post(`/team/${member.userId}/role`, { role: "operations" });
  await theirs.owner.browser.post("/team/invitations", { email: nextEmail(), role: "owner" });
  const { items, next } = (await member.browser.get("/audit?limit=3")).body;
  expect(items[0]).toEqual({
    seq: expect.stringMatching(/^\d+$/),
    at: expect.any(String),
    actor_name: "Asha Rao",
    action: "portal_user.role_changed",
    details: { email: member.email, from: "developer", to: "operations" },
  });
  const rest = (await member.browser.get(`/audit?after=${next}`)).body;
  expect([...items, ...rest.items].map(({ action }) => action)).toEqual([
    "portal_user.role_changed",
    "portal_user.invitation_accepted",
    "portal_user.invited",
    "portal_user.invitation_accepted",
    "portal_user.invited",
    "account.created",
  ]);
  expect(rest.next).toBeNull();
  expect(JSON.stringify([items, rest])).not.toMatch(new RegExp(`inv_|${theirs.accountId}`));
});

test("the audit does not say who of the staff requested what a second person approved", async () => {
  const { accountId } = await fixture.newAccount();
  const request = { accountId, amount: money(50), reference: "UTR1", note: "NEFT", reason: "As agreed" };
  const approval = { approvalId: "V1", madeBy: "staff:U1", decidedBy: "staff:U2" } as Agreed;
  await fixture.ctx.sql.begin(async (tx) => {
    const ctx = manualChangeContext(fixture.ctx.orders, tx, approval, fixture.ctx.clock.now());
    await topUp(ctx, approval.decidedBy, request);
  });
  const { items } = (await fixture.as("owner", accountId).get("/audit")).body;
  expect(items[0]).toMatchObject({ action: "wallet.topped_up", actor_name: "Corprail" });
  expect(items[0].details).toEqual({ amount: "50.0000", reference: "UTR1", note: "NEFT" });
});

test("an owner creates a password link for a member who gets no mail; it works once, and not for another owner", async () => {
  const { accountId, owner } = await ownedAccount();
  const [ravi, partner] = [await newPerson(fixture, accountId, "developer"), await newPerson(fixture, accountId)];
  const idOf = async (email: string) =>
    (await owner.browser.get("/team")).body.members.find((member: { email: string }) => member.email === email).user_id;
  const raviId = await idOf(ravi.email);
  const made = await owner.browser.post(`/team/${raviId}/password-link`, {});
  expect(made.body.link).toMatch(new RegExp(`^${fixture.base}/portal/password-reset#rst_[\\w-]{43}$`));
  expect((await ravi.browser.get("/team")).status).toBe(200);
  const reset = () =>
    createBrowser(fixture).post("/password/reset", { token: tokenIn(made.body.link), password: "a quite different phrase" });
  expect((await reset()).status).toBe(200);
  expect((await ravi.browser.get("/team")).status).toBe(401);
  expect((await reset()).status).not.toBe(200);
  expect((await owner.browser.post(`/team/${await idOf(partner.email)}/password-link`, {})).status).toBe(409);
  expect((await partner.browser.post(`/team/${raviId}/disable`, {})).status).toBe(200);
  expect((await owner.browser.post(`/team/${raviId}/password-link`, {})).status).toBe(409);
});
