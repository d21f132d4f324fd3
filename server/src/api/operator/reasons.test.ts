import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import type { z } from "zod";
import { createToken } from "../../domain/accounts/credentials/manage-tokens.ts";
import { saveProvider } from "../../domain/auth/single-sign-on/save-provider.ts";
import { createConsoleFixture } from "./console/testing/fixture.ts";

// Contract, section 9b: every reason given to the operator API is in the audit entry. The last test fails for a mounted
// route that takes a reason and is listed neither here nor below.
const delivered = { delivered: true, httpStatus: 200, error: null, message: null };
const fixture = await createConsoleFixture({ callbacks: { makeDue: async () => {}, sendTest: async () => delivered } });
afterAll(() => fixture.close());
const { account_id: id } = await fixture.newAccount();
const account = `/accounts/${id}`;
const staff = await fixture.newStaff("admin");
const other = await fixture.newStaff("support");
const definition = JSON.parse(
  readFileSync(new URL("../../../../docs/examples/providers/quickpay.json", import.meta.url), "utf8"),
) as object;
const ROUTE = { service: "recharge", operator: null, provider: "simulator" };
// Disabled, so that saving it does not call the provider.
const SIGN_ON = { name: "Acme ID", issuer: "https://id.acme.example", client_id: "corprail", enabled: false };
const inDays = (days: number) => new Date(fixture.settings.clock.now() + days * 86_400_000).toISOString().slice(0, 10);

type Ask = (reason: string) => Promise<{ readonly status: number; readonly body: unknown }>;
const post =
  (path: string | (() => string | Promise<string>), body: object = {}): Ask =>
  async (reason) =>
    await fixture.post(typeof path === "string" ? path : await path(), { ...body, reason });

const onboarding = async () => (await fixture.post("/onboardings", { name: "New Stores" })).body.account_id as string;

const incident = { kind: "incident", title: "Slow", text: "Slow.", components: ["service:bills"] };

const ASKED: Readonly<Record<string, Ask>> = {
  "/accounts": post("/accounts", { name: "Ravi Stores" }),
  "/accounts/:account_id": post(account, { daily_limit: "5000.00" }),
  "/accounts/:account_id/services": post(`${account}/services`, { bills: true }),
  "/accounts/:account_id/allowlist": post(`${account}/allowlist`, { entries: ["192.0.2.1"] }),
  "/accounts/:account_id/token": post(`${account}/token`),
  "/accounts/:account_id/tokens/:token_id/revoke": post(async () => {
    const wanted = { accountId: id, name: "Second", scopes: null, readOnly: false, expiresAt: null };
    const made = await createToken(fixture.deps, "test", wanted);
    return `${account}/tokens/${made.kind === "done" ? made.tokenId : ""}/revoke`;
  }),
  "/accounts/:account_id/signing-secret": post(`${account}/signing-secret`),
  "/accounts/:account_id/signing-secret/revoke-old": async (reason) => {
    await fixture.post(`${account}/signing-secret`);
    return await fixture.post(`${account}/signing-secret/revoke-old`, { reason });
  },
  "/accounts/:account_id/callback-secret": post(`${account}/callback-secret`),
  "/onboardings": post("/onboardings", { name: "Ravi Stores" }),
  "/accounts/:account_id/onboarding": post(async () => `/accounts/${await onboarding()}/onboarding`, { version: 1, contacts: [] }),
  "/status": post("/status", { visibility: "public" }),
  "/status/events": post("/status/events", incident),
  "/status/events/:event_id/updates": post(
    async () => `/status/events/${(await fixture.post("/status/events", incident)).body.event_id}/updates`,
    {
      state: "resolved",
      text: "Solved.",
    },
  ),
  "/announcements": post("/announcements", { title: "News", text: "New hours." }),
  "/announcements/:announcement_id/withdraw": post(async () => {
    const { body } = await fixture.post("/announcements", { title: "Old news", text: "Old hours." });
    return `/announcements/${body.items[0].announcement_id}/withdraw`;
  }),
  "/operators/:operator": post("/operators/AT", { enabled: false }),
  "/services/:service": post("/services/bills", { enabled: false }),
  "/services/transfers/settings": post("/services/transfers/settings", { min_amount: "200.00" }),
  "/providers": post("/providers", { definition, secrets: {} }),
  "/providers/:provider": post("/providers/quickpay", { definition: { ...definition, polling: { quiet_seconds: 7000 } } }),
  "/providers/:provider/candidate": post("/providers/quickpay/candidate", {
    definition: { ...definition, polling: { quiet_seconds: 6000 } },
  }),
  "/providers/:provider/rollout": post("/providers/quickpay/rollout", { version: 3, percent: 5 }),
  "/providers/:provider/candidate/drop": post("/providers/quickpay/candidate/drop", { version: 3 }),
  "/providers/:provider/versions/:version/promote": post("/providers/quickpay/versions/1/promote"),
  "/providers/:provider/secret": async (reason) => {
    const { body } = await fixture.get("/providers/quickpay");
    const [secret] = body.secrets as { readonly name: string }[];
    return await fixture.post("/providers/quickpay/secret", { name: secret?.name, value: "s3cret-value", reason });
  },
  "/providers/:provider/lists/refresh": post("/providers/quickpay/lists/refresh"),
  "/providers/:provider/switch": post("/providers/quickpay/switch", { enabled: false }),
  "/routes": post("/routes", { ...ROUTE, operator: "VI", priority: 7, weight: 3, enabled: true }),
  "/routes/delete": post("/routes/delete", { ...ROUTE, operator: "VI" }),
  "/breakers/reset": post("/breakers/reset", { provider: "simulator" }),
  "/accounts/:account_id/wallet": post(`${account}/wallet`, { amount: "10.00", reference: "W-1" }),
  "/accounts/:account_id/close": post(async () => `/accounts/${(await fixture.newAccount()).account_id}/close`),
  "/pricing": post("/pricing", {
    all_accounts: true,
    service: "recharge",
    fee: { flat: "1.00", percent: "0" },
    valid_from: inDays(40),
  }),
  "/pricing/:rule_id/end": post(async () => {
    const { body } = await fixture.get("/pricing");
    return `/pricing/${body.items[0].rule_id}/end`;
  }),
  "/callbacks/recover": post("/callbacks/recover", { account_id: id, since: 1_700_000_000 }),
  "/accounts/:account_id/callbacks/pause": post(`${account}/callbacks/pause`),
  "/accounts/:account_id/callbacks/resume": post(`${account}/callbacks/resume`),
  "/accounts/:account_id/test-complaint": post(`${account}/test-complaint`),
  "/accounts/:account_id/portal-invitations": post(`${account}/portal-invitations`, { email: "second@shop.example" }),
  "/accounts/:account_id/view-as-client": async (reason) => await staff.browser.post(`${account}/view-as-client`, { reason }),
  "/alert-settings": post("/alert-settings", { pending_orders: 77 }),
  "/staff/invitations": post("/staff/invitations", { email: "new@corprail.example", role: "support" }),
  "/staff/invitations/:invitation_id/revoke": post(async () => {
    const { body } = await fixture.get("/staff");
    return `/staff/invitations/${body.invitations[0].invitation_id}/revoke`;
  }),
  "/staff/:user_id/role": post(`/staff/${other.userId}/role`, { role: "auditor" }),
  "/staff/:user_id/disable": post(`/staff/${other.userId}/disable`),
  "/staff/:user_id/enable": post(`/staff/${other.userId}/enable`),
  "/staff/:user_id/reset-second-factor": post(`/staff/${other.userId}/reset-second-factor`),
  "/staff/:user_id/break-glass": post(`/staff/${other.userId}/break-glass`, { break_glass: true }),
  "/single-sign-on": post("/single-sign-on", { ...SIGN_ON, domains: ["corprail.example"] }),
  "/staff/:user_id/unlink-identity": async (reason) => {
    await fixture.deps.sql`
      insert into user_identities (provider_id, issuer, subject, user_id, created_at, last_used_at)
      values ('staff', ${SIGN_ON.issuer}, 'other', ${other.userId}, now(), now())`;
    return await fixture.post(`/staff/${other.userId}/unlink-identity`, { reason });
  },
  "/single-sign-on/stop-enforcing": post("/single-sign-on/stop-enforcing"),
  "/single-sign-on/delete": post("/single-sign-on/delete"),
  "/accounts/:account_id/single-sign-on/domains": post(`${account}/single-sign-on/domains`, { domains: ["shop.example"] }),
  "/accounts/:account_id/single-sign-on/stop-enforcing": async (reason) => {
    const chosen = { ...SIGN_ON, role_claim: null, role_map: [], default_role: null, grants_manager: false, creates_members: false };
    const settings = { ...chosen, second_factor: "local", enforced: false } as const;
    const by = { actor: "test", person: null, sessionId: null };
    await saveProvider({ ...fixture.deps.auth, oidc: fixture.deps.oidc }, by, { accountId: id, settings }, false);
    return await fixture.post(`${account}/single-sign-on/stop-enforcing`, { reason });
  },
  "/keys": post("/keys", { name: "robot" }),
  "/keys/:key_id/delete": post(async () => `/keys/${(await fixture.get("/keys")).body.items[0].key_id}/delete`),
  "/approval-rules": post("/approval-rules", { expire_hours: 30 }),
};

/** Routes that need orders, complaints, files or approvals first. The tests of the functions they call check the reason. */
const CHECKED_WITH_WHAT_THEY_CALL = [
  "/accounts/:account_id/onboarding/submit",
  "/accounts/:account_id/onboarding/review",
  "/accounts/:account_id/documents/:document_id/delete",
  "/orders/:order_id/settle",
  "/orders/:order_id/reverse",
  "/orders/:order_id/refund",
  "/orders/:order_id/cancel",
  "/orders/:order_id/settle-cancellation",
  "/orders/:order_id/requery",
  "/complaints/:complaint_ref/clear",
  "/callbacks/:callback_id/resend",
  "/callbacks/recovery",
  "/bulk/requery",
  "/bulk/resend",
  "/bulk/settle",
  "/accounts/:account_id/people/:user_id/reset-second-factor",
  // portal-users/portal-user-actions.test.ts
  "/accounts/:account_id/people/:user_id/password-link",
  "/reconciliations/:reconciliation_id/delete",
  "/reconciliations/:reconciliation_id/items/:item/reopen",
  "/reconciliations/:reconciliation_id/items/:item/settle",
  "/reconciliations/:reconciliation_id/settle-all",
  "/jobs/:job_id/cancel",
  "/approvals/:approval_id/approve",
  "/approvals/:approval_id/reject",
  "/approvals/:approval_id/withdraw",
];

test.each(Object.entries(ASKED))("the reason given to POST %s is in the audit entry", async (path, ask) => {
  const reason = `Because of ${path}`;
  const answer = await ask(reason);
  expect([answer.status, answer.body]).toEqual([expect.toSatisfy((status: number) => status < 300), expect.anything()]);
  const { body } = await fixture.get("/audit?limit=3");
  expect((body.items as { details: { reason?: string } }[]).map(({ details }) => details.reason)).toContain(reason);
});

test("every route that takes a reason is tested", () => {
  const taking = fixture.routes.flatMap(({ method, url, config, schema }) => {
    const body = schema?.body as z.ZodObject | undefined;
    const takes = config?.access !== undefined && method === "POST" && "reason" in (body?.shape ?? {});
    return takes ? [url.replace("/console/api", "")] : [];
  });
  expect(taking.toSorted()).toEqual([...Object.keys(ASKED), ...CHECKED_WITH_WHAT_THEY_CALL].toSorted());
});
