import { afterAll, beforeAll, expect, test } from "vitest";
import { lookUpInvitation } from "../../../domain/auth/team/accept-invitation.ts";
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
  expect(await invite({ email: "nobody" })).toMatchObject({ status: 400, body: { fields: { email: "Must be an e-mail address." } } });
  expect((await invite({})).status).toBe(400);
  expect((await invite({ email: "a@shop.example" }, "A0000000000X")).status).toBe(404);
});
