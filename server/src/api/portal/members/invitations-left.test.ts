import { afterAll, beforeAll, expect, test } from "vitest";
import { personActor } from "../../../domain/auth/record.ts";
import { changeMember } from "../../../domain/auth/team/change-member.ts";
import { invite } from "../../../domain/auth/team/invite.ts";
import { closeAccount } from "../../../domain/orders/close-account.ts";
import { createBrowser, newPerson, PASSWORD, type Person } from "../testing/browser.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
});
afterAll(() => fixture.close());

type Two = { readonly accountId: string; readonly one: Person; readonly other: Person };

async function twoOwners(): Promise<Two> {
  const { accountId } = await fixture.newAccount();
  return { accountId, one: await newPerson(fixture, accountId), other: await newPerson(fixture, accountId) };
}

let made = 0;

async function linkOf({ browser }: Person): Promise<string> {
  const { status, body } = await browser.post("/team/invitations", { email: `left${++made}@shop.example`, role: "owner" });
  expect(status).toBe(200);
  return body.link.slice(body.link.indexOf("#") + 1);
}

const accept = async (token: string) =>
  (await createBrowser(fixture).post("/invitations/accept", { token, name: "Ravi Iyer", password: PASSWORD })).status;

test.each([
  ["disabled", "disable", {}],
  ["made a developer", "role", { role: "developer" }],
])("an owner who is %s does not come back by an invitation of their own", async (_, path, body) => {
  const { one, other } = await twoOwners();
  const [kept, link] = [await linkOf(one), await linkOf(other)];
  expect((await one.browser.post(`/team/${other.userId}/${path}`, body)).status).toBe(200);
  expect(await accept(link)).toBe(404);
  expect((await one.browser.get("/team")).body.invitations).toHaveLength(1);
  expect(await accept(kept)).toBe(200);
});

test("an invitation that is made while its owner is made less is there before it, or not at all", async () => {
  const { accountId, one, other } = await twoOwners();
  const inviting = Array.from({ length: 10 }, (_, place) =>
    invite(fixture.ctx.auth, personActor("portal", other.userId), { accountId, email: `race${place}@shop.example`, role: "owner" }),
  );
  const change = changeMember(
    fixture.ctx.auth,
    personActor("portal", one.userId),
    { accountId, userId: other.userId },
    { role: "read_only" },
  );
  await Promise.all([...inviting, change]);
  expect((await one.browser.get("/team")).body.invitations).toEqual([]);
});

test("an address gets a limited number of invitations, from however many accounts", async () => {
  const [{ one, other }, elsewhere] = [await twoOwners(), await twoOwners()];
  const email = `flooded${++made}@shop.example`;
  const owners = [one, other, elsewhere.one].flatMap((owner) => Array.from({ length: 4 }, () => owner));
  const spelled = (place: number) => (place % 2 === 0 ? email : ` ${email.toUpperCase()}`);
  const answers = await Promise.all(
    owners.map(({ browser }, place) => browser.post("/team/invitations", { email: spelled(place), role: "read_only" })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(200), ...Array(7).fill(429)]);
  expect(fixture.mails.filter(({ to }) => to === email).length).toBeLessThanOrEqual(5);
});

test("a closed account cannot be joined", async () => {
  const { accountId, one } = await twoOwners();
  const link = await linkOf(one);
  expect(await closeAccount(fixture.ctx, "test", { accountId })).toEqual({ kind: "done" });
  expect((await createBrowser(fixture).post("/invitations/lookup", { token: link })).status).toBe(404);
  expect(await accept(link)).toBe(404);
});
