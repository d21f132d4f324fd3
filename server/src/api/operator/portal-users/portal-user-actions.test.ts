import { afterAll, beforeAll, expect, test } from "vitest";
import { acceptInvitation, lookUpInvitation } from "../../../domain/auth/team/accept-invitation.ts";
import { createConsoleFixture } from "../console/testing/fixture.ts";
import { type TestApi, testApi } from "../testing/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ publicUrl: "https://pay.example" });
});
afterAll(() => api.close());

test("an operator invites an account's first owner by a link of the portal's address", async () => {
  const { account_id: id } = await api.newAccount();
  const { status, body } = await api.post(`/accounts/${id}/portal-invitations`, { email: "Asha@Shop.example" });
  expect(status).toBe(201);
  expect(body).toEqual({
    invitation_url: expect.stringMatching(/^https:\/\/pay\.example\/portal\/invite#inv_[\w-]{43}$/),
    expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  });
  const token = body.invitation_url.split("#")[1];
  const invitation = await lookUpInvitation({ ...api.settings.ctx, realm: "portal" }, token);
  expect(invitation).toMatchObject({ account_id: id, email: "asha@shop.example", role: "owner", account_name: "Asha Stores" });
  const trail = await api.get("/audit?subject_kind=portal_user&limit=1");
  expect(trail.body.items[0]).toMatchObject({ action: "portal_user.invited", details: { account_id: id, email: "asha@shop.example" } });
  expect(trail.text).not.toContain(token);
});

test("a role can be named; a wrong one, a wrong address and an unknown account are refused", async () => {
  const { account_id: id } = await api.newAccount();
  const invite = (body: object, account = id) => api.post(`/accounts/${account}/portal-invitations`, body);
  expect((await invite({ email: "a@shop.example", role: "read_only", reason: "asked by phone" })).status).toBe(201);
  expect(await invite({ email: "a@shop.example", role: "admin" })).toMatchObject({
    status: 400,
    body: { fields: { role: expect.any(String) } },
  });
  expect(await invite({ email: "nobody" })).toMatchObject({ status: 400, body: { fields: { email: "Must be an email address." } } });
  expect((await invite({})).status).toBe(400);
  expect((await invite({ email: "a@shop.example" }, "A0000000000X")).status).toBe(404);
});

test("a password link of a portal user is recorded without its token, and only admins create one for an owner", async () => {
  const site = await createConsoleFixture();
  const { account_id: id } = await site.newAccount();
  const userIds = await Promise.all(
    ["owner", "read_only"].map(async (role) => {
      const { body } = await site.post(`/accounts/${id}/portal-invitations`, { email: `${role}-${id}@shop.example`.toLowerCase(), role });
      const token = body.invitation_url.split("#")[1];
      const browser = { address: "127.0.0.1", userAgent: "test", devices: [] };
      await acceptInvitation({ ...site.settings.ctx, realm: "portal" }, { token, name: "Asha", password: "seven green lanterns", browser });
      const { body: team } = await site.get(`/accounts/${id}/people`);
      return team.items.find((member: { role: string }) => member.role === role).user_id as string;
    }),
  );
  const [ownerId, readerId] = userIds;
  const operations = await site.newStaff("operations");
  const link = (userId: string | undefined, by = operations.browser) => by.post(`/accounts/${id}/people/${userId}/password-link`, {});
  expect((await link(ownerId)).status).toBe(403);
  const { status, body } = await link(readerId);
  expect([status, body.password_url]).toEqual([200, expect.stringMatching(/\/portal\/password-reset#rst_[\w-]{43}$/)]);
  expect((await site.post(`/accounts/${id}/people/${ownerId}/password-link`, { reason: "Called back." })).status).toBe(200);
  const ofOwner = await site.get(`/audit?subject_kind=portal_user&subject_id=${ownerId}&limit=1`);
  expect(ofOwner.body.items[0].details).toMatchObject({ reason: "Called back." });
  expect((await link("UNKNOWN")).status).toBe(404);
  const trail = await site.get(`/audit?subject_kind=portal_user&subject_id=${readerId}&limit=1`);
  expect(trail.body.items[0]).toMatchObject({ action: "portal_user.password_link_created", actor: `staff:${operations.userId}` });
  expect(trail.text).not.toContain(body.password_url.split("#")[1]);
  await site.close();
});
