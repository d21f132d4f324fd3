import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { StaffRole } from "../../../domain/auth/user.ts";
import { buildOrder } from "../../../domain/complaints/testing/build-order.ts";
import { checkLedger } from "../../../domain/ledger/invariants.ts";
import { saveProvider } from "../../../domain/providers/settings/save-provider.ts";
import { createBrowser, enableTotp, PASSWORD } from "../../portal/testing/browser.ts";
import { type ConsoleFixture, createConsoleFixture, type StaffMember } from "../console/testing/fixture.ts";

let fixture: ConsoleFixture;
let accountId: string;
// Two people who have nothing to do with one another.
let [asha, binu]: StaffMember[] = [];
beforeAll(async () => {
  fixture = await createConsoleFixture();
  [asha, binu] = [await fixture.newStaff("admin"), await fixture.newStaff("admin")];
});
afterAll(async () => {
  expect((await checkLedger(fixture.deps.sql)).filter((check) => check.violations > 0)).toEqual([]);
  await fixture.close();
});
beforeEach(async () => {
  await rules({});
  accountId = (await fixture.newAccount()).account_id;
});

const HOUR = 60 * 60 * 1000;
const ON = { wallet_threshold: 10_000_000, order_threshold: 1_000_000 };

/** The settings of a new installation, and these besides. */
async function rules(change: Readonly<Record<string, number | boolean | null>>): Promise<void> {
  const { sql } = fixture.deps;
  const fresh = { wallet_threshold: null, order_threshold: null, keys_included: true, pricing_included: true };
  await sql`update approval_rules set ${sql({ ...fresh, providers_included: true, new_person_hours: 24, ...change })}`;
}

function person(one: StaffMember | undefined): StaffMember {
  if (!one) throw new Error("Nobody is there yet.");
  return one;
}

/** As that person at the console, after a fresh proof. */
async function by(one: StaffMember | undefined, path: string, body: object = {}) {
  const { userId, browser } = person(one);
  await fixture.deps.sql`update sessions set proved_at = ${new Date(fixture.deps.clock.now())} where user_id = ${userId}`;
  return await browser.post(path, body);
}

let references = 0;
const topUp = (one: StaffMember | undefined, amount: string, reference = `t${++references}`) =>
  by(one, `/accounts/${accountId}/wallet`, { amount, reference });
const approve = (one: StaffMember | undefined, held: { readonly body: { readonly approval: { readonly approval_id: string } } }) =>
  by(one, `/approvals/${held.body.approval.approval_id}/approve`);

/** Somebody whom another one has invited. */
async function invitedBy(one: StaffMember | undefined, role: StaffRole, key?: string): Promise<StaffMember> {
  const email = `second${++references}@corprail.example`;
  const made = key
    ? await fixture.post("/staff/invitations", { email, role }, { key })
    : await by(one, "/staff/invitations", { email, role });
  const browser = createBrowser(fixture);
  const token = String(made.body.invitation_url).split("#")[1];
  expect((await browser.post("/invitations/accept", { token, name: "Second Self", password: PASSWORD })).status).toBe(200);
  const { secret } = await enableTotp(fixture, { browser });
  return { browser, email, secret, userId: (await browser.get("/session")).body.user.user_id };
}

test("until a threshold is set nothing waits; from then on keys wait as well, unless they are excluded", async () => {
  const byKey = (reference: string) => fixture.post(`/accounts/${accountId}/wallet`, { amount: "5000", reference });
  expect((await byKey("before")).status).toBe(200);
  expect((await fixture.post("/keys", { name: "before" })).status).toBe(200);
  expect((await fixture.post("/approval-rules", { wallet_threshold: "1000" })).body).toMatchObject({ keys_included: true });
  expect((await byKey("after")).status).toBe(202);
  const exclude = await by(asha, "/approval-rules", { keys_included: false, reason: "the billing robot" });
  expect(exclude.status).toBe(202);
  expect((await approve(binu, exclude)).body).toMatchObject({ state: "done" });
  expect((await byKey("excluded")).status).toBe(200);
  const [entry] = (await fixture.get("/audit?action=approval_rules.changed&limit=1")).body.items;
  expect(entry).toMatchObject({ details: { changes: { keys_included: { from: true, to: false } }, reason: "the billing robot" } });
  // Excluded from what moves money, not from what decides about that.
  expect((await fixture.post("/approval-rules", { wallet_threshold: null })).status).toBe(202);
  expect((await fixture.post("/keys", { name: "after" })).status).toBe(202);
});

test("an amount in slices waits like the whole, by session and by a key of the same person", async () => {
  await rules({});
  const { api_key: key } = (await by(asha, "/keys", { name: "Asha's" })).body;
  await rules(ON);
  expect((await topUp(asha, "400")).status).toBe(200);
  const sliced = await fixture.post(`/accounts/${accountId}/wallet`, { amount: "599.9999", reference: "by-key" }, { key });
  expect(sliced.status).toBe(200);
  expect((await fixture.post(`/accounts/${accountId}/wallet`, { amount: "0.0001", reference: "one-more" }, { key })).status).toBe(202);
  expect((await topUp(asha, "-1")).status).toBe(202);
  // Another person, another account and another day begin anew; the same act again is not another one.
  expect((await topUp(binu, "999")).status).toBe(200);
  const other = (await fixture.newAccount()).account_id;
  expect((await by(asha, `/accounts/${other}/wallet`, { amount: "999", reference: "other" })).status).toBe(200);
  expect((await by(asha, `/accounts/${other}/wallet`, { amount: "999", reference: "other" })).status).toBe(200);
  fixture.settings.clock.advance(25 * HOUR);
  expect((await topUp(await again(asha), "999")).status).toBe(200);
});

/** Somebody whose session has ended meanwhile. */
async function again(one: StaffMember | undefined): Promise<StaffMember> {
  const { userId } = person(one);
  const now = new Date(fixture.deps.clock.now());
  await fixture.deps.sql`
    update sessions set last_seen_at = ${now}, proved_at = ${now}, expires_at = ${new Date(now.getTime() + HOUR)} where user_id = ${userId}`;
  return person(one);
}

test("of slices at once no more get through than one after the other", async () => {
  await rules(ON);
  await again(asha);
  const answers = await Promise.all(Array.from({ length: 12 }, () => topUp(asha, "300")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(9);
});

test("what is done to an account's orders adds up whatever is done to them", async () => {
  await rules(ON);
  await again(binu);
  await topUp(binu, "900");
  const order = (state: "pending" | "SUCCESS") => buildOrder(fixture.deps.orders, accountId, { state, amount: 400_000n });
  const [one, two, three] = [await order("pending"), await order("SUCCESS"), await order("SUCCESS")];
  expect((await by(asha, `/orders/${one}/settle`, { status: "FAILED", reason: "confirmed by phone" })).status).toBe(200);
  expect((await by(asha, `/orders/${two}/reverse`, { reason: "confirmed by phone" })).status).toBe(200);
  expect((await by(asha, `/orders/${three}/reverse`, { reason: "confirmed by phone" })).status).toBe(202);
  expect((await by(binu, `/orders/${three}/reverse`, { reason: "confirmed by phone" })).status).toBe(200);
});

test("a member invited by the requester, or by that member, cannot approve for a day, nor can the requester approve for them", async () => {
  await rules(ON);
  const second = await invitedBy(await again(asha), "admin");
  const third = await invitedBy(second, "admin");
  const held = await topUp(asha, "5000");
  for (const self of [second, third]) {
    const refused = await approve(self, held);
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining("Somebody else has to approve it.") } });
    const shown = await self.browser.get(`/approvals/${held.body.approval.approval_id}`);
    expect(shown.body).toMatchObject({ may_decide: true, barred: expect.stringContaining("24 hours") });
  }
  for (const self of [second, third]) expect((await approve(asha, await topUp(self, "5000"))).status).toBe(409);
  expect((await approve(third, await topUp(second, "5000"))).status).toBe(409);
  expect((await approve(await again(binu), await topUp(third, "5000"))).body).toMatchObject({ state: "done" });
  fixture.settings.clock.advance(25 * HOUR);
  const later = await topUp(await again(asha), "5000");
  expect((await approve(await again(second), later)).body).toMatchObject({ state: "done" });
});

test("a member whom the requester invited by a deleted key, promoted, enabled or gave a new second factor cannot approve", async () => {
  await rules({});
  const { api_key: key, key_id: keyId } = (await by(await again(asha), "/keys", { name: "Gone" })).body;
  const byKey = await invitedBy(undefined, "admin", key);
  await by(asha, `/keys/${keyId}/delete`);
  const [promoted, enabled, reset] = [
    await fixture.newStaff("auditor"),
    await fixture.newStaff("finance"),
    await fixture.newStaff("finance"),
  ];
  await by(asha, `/staff/${promoted.userId}/role`, { role: "admin" });
  await by(asha, `/staff/${enabled.userId}/disable`);
  await by(asha, `/staff/${enabled.userId}/enable`);
  await by(asha, `/staff/${reset.userId}/reset-second-factor`);
  await rules(ON);
  const held = await topUp(asha, "5000");
  const { approval_id: id } = held.body.approval;
  const { sql } = fixture.deps;
  for (const { userId } of [byKey, promoted, enabled, reset]) {
    const staff = fixture.as("admin", { userId });
    const refused = await fetch(`${fixture.base}/console/api/approvals/${id}/approve`, {
      ...{ method: "POST", body: "{}", headers: { ...staff, "content-type": "application/json" } },
    });
    expect(refused.status).toBe(409);
    // Not even past the application.
    await expect(sql`
      update approvals set state = 'approved', decided_by = 'x', checker_person = ${`staff:${userId}`},
        decided_at = ${new Date(fixture.deps.clock.now())} where approval_id = ${id}`).rejects.toThrow("recent tie");
  }
  expect((await approve(await again(binu), held)).body).toMatchObject({ state: "done" });
});

test("the environment's key belongs to no member of staff and cannot approve", async () => {
  await rules(ON);
  const held = await topUp(asha, "5000");
  const refused = await fixture.post(`/approvals/${held.body.approval.approval_id}/approve`);
  expect(refused).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("This key was not created by a member of staff") },
  });
});

test("a new key is shown at once and works when somebody else has agreed, as its maker", async () => {
  await rules(ON);
  const held = await by(asha, "/keys", { name: "Robot" });
  expect(held).toMatchObject({ status: 202, body: { approval: { kind: "operator_key", state: "waiting" } } });
  const { api_key: key } = held.body;
  expect((await fixture.get("/accounts", { key })).status).toBe(401);
  expect((await approve(asha, held)).status).toBe(409);
  expect((await approve(binu, held)).body).toMatchObject({ state: "done" });
  expect((await fixture.get("/accounts", { key })).status).toBe(200);
  const asked = await fixture.post(`/accounts/${accountId}/wallet`, { amount: "5000", reference: "robot" }, { key });
  expect((await approve(asha, asked)).status).toBe(409);
  expect((await approve(binu, asked)).body).toMatchObject({ state: "done" });
  expect((await fixture.get("/audit?limit=200")).text).not.toContain(key);
});

test("an approved key has the limits that the approver saw", async () => {
  await rules(ON);
  const limits = { role: "auditor", expires_at: "2099-12-31 18:00:00", source_addresses: ["127.0.0.1", "203.0.113.0/24"] };
  const held = await by(asha, "/keys", { name: "Limited", ...limits });
  const shown = { ...limits, source_addresses: "127.0.0.1, 203.0.113.0/24" };
  expect(held).toMatchObject({ status: 202, body: { approval: { input: shown } } });
  expect((await approve(binu, held)).body).toMatchObject({ state: "done" });
  const { key_id: keyId, api_key: key } = held.body;
  const { items } = (await fixture.get("/keys?limit=200")).body;
  expect(items.find((one: { readonly key_id: string }) => one.key_id === keyId)).toMatchObject(limits);
  expect((await fixture.get("/accounts", { key })).status).toBe(200);
  expect((await fixture.post("/operators/AT", { enabled: true }, { key })).status).toBe(403);
  const trail = (await fixture.get(`/audit?subject_kind=operator_key&subject_id=${keyId}`)).body;
  expect(trail.items[0].details).toMatchObject(shown);
});

test("a change of the identity provider of staff waits for approval, is saved as the requester's, and its secret is not readable meanwhile", async () => {
  await rules(ON);
  const domains = ["corprail.example"];
  const provider = {
    name: "Acme",
    issuer: "https://id.example",
    client_id: "corprail",
    client_secret: "hush-sign-on",
    enabled: false,
    domains,
  };
  const held = await by(asha, "/single-sign-on", provider);
  expect(held).toMatchObject({
    status: 202,
    body: { approval: { kind: "single_sign_on", input: { issuer: "https://id.example", domains } } },
  });
  expect((await fixture.get("/single-sign-on")).body).toMatchObject({ provider: null, domains: [] });
  // Not the same secret, so not the same request.
  expect((await by(asha, "/single-sign-on", { ...provider, client_secret: "other" })).status).toBe(409);
  expect((await approve(asha, held)).status).toBe(409);
  expect((await approve(binu, held)).body).toMatchObject({ state: "done" });
  expect((await fixture.get("/single-sign-on")).body).toMatchObject({ provider: { has_client_secret: true }, domains });
  const { sql } = fixture.deps;
  expect(await sql`select changed_by_person from identity_providers`).toEqual([{ changed_by_person: `staff:${asha?.userId}` }]);
  const kept = await sql`select input::text as input from approvals union all select details from audit_log`;
  expect(JSON.stringify([held.text, kept])).not.toContain("hush-sign-on");
  const stale = await by(asha, "/single-sign-on", { ...provider, client_secret: null, domains: ["else.example"] });
  await sql`update identity_providers set changed_at = changed_at + interval '1 second'`;
  expect((await approve(binu, stale)).body).toMatchObject({ state: "failed", result: { reason: expect.stringContaining("meantime") } });
  expect((await fixture.get("/single-sign-on")).body).toMatchObject({ provider: { has_client_secret: true }, domains });
  const removal = await by(asha, "/single-sign-on/delete");
  expect([removal.status, (await fixture.get("/single-sign-on")).body.provider.name]).toEqual([202, "Acme"]);
  expect((await approve(binu, removal)).body).toMatchObject({ state: "done" });
  expect((await fixture.get("/single-sign-on")).body.provider).toBeNull();
});

test("a rule of prices waits, is set when it is approved, and names both; so does its end", async () => {
  await rules(ON);
  const held = await by(asha, "/pricing", { all_accounts: true, service: "recharge", commission: { percent: "9.00" }, reason: "May" });
  expect(held).toMatchObject({ status: 202, body: { approval: { kind: "pricing", input: { all_accounts: true, service: "recharge" } } } });
  const preview = async () =>
    (await fixture.get(`/pricing/preview?account_id=${accountId}&service=recharge&operator=AT&amount=100`)).body.commission;
  expect(await preview()).toBe("0.0000");
  const done = (await approve(binu, held)).body;
  expect(done).toMatchObject({ state: "done", result: { rule_id: expect.any(String) } });
  expect(await preview()).toBe("9.0000");
  const { rule_id: ruleId } = done.result;
  const [entry] = (await fixture.get(`/audit?subject_kind=commercial&subject_id=${ruleId}`)).body.items;
  expect(entry).toMatchObject({ actor: `staff:${binu?.userId}`, details: { made_by: `staff:${asha?.userId}`, reason: "May" } });
  const ending = await by(asha, `/pricing/${ruleId}/end`, { reason: "over" });
  expect([ending.status, await preview()]).toEqual([202, "9.0000"]);
  await approve(binu, ending);
  expect(await preview()).toBe("0.0000");
  expect((await by(asha, "/pricing", { all_accounts: true, service: "taxi" })).status).toBe(400);
  expect((await by(asha, `/pricing/${ruleId}/end`)).status).toBe(409);
  await rules({ ...ON, pricing_included: false });
  expect((await by(asha, "/pricing", { account_id: accountId, fee: { flat: "1" } })).status).toBe(200);
});

test("changes of a provider's address, description and secrets wait for approval, and the secret is not readable meanwhile", async () => {
  await rules({});
  const definition = JSON.parse(
    readFileSync(new URL("../../../../../docs/examples/providers/quickpay.json", import.meta.url), "utf8").replaceAll(
      '"quickpay"',
      '"waits"',
    ),
  );
  expect((await by(asha, "/providers", { definition, secrets: { token: "first", pin: "first" } })).status).toBe(200);
  await rules(ON);
  const secret = await by(asha, "/providers/waits/secret", { name: "token", value: "hush-hush" });
  expect(secret).toMatchObject({ status: 202, body: { approval: { kind: "provider_secret", input: { secrets_changed: ["token"] } } } });
  expect((await by(asha, "/providers/waits/secret", { name: "token", value: "hush-hush" })).body.approval.approval_id).toBe(
    secret.body.approval.approval_id,
  );
  // Not the same secret, so not the same request.
  expect((await by(asha, "/providers/waits/secret", { name: "token", value: "other" })).status).toBe(409);
  const kept = await fixture.deps.sql`select input::text as input from approvals union all select details from audit_log`;
  expect(JSON.stringify([secret.text, kept])).not.toContain("hush-hush");
  expect((await approve(binu, secret)).body).toMatchObject({ state: "done" });
  const elsewhere = JSON.parse(JSON.stringify(definition).replaceAll("api.quickpay.example", "evil.example"));
  const moved = await by(asha, "/providers/waits", { definition: elsewhere, secrets: { token: "x", pin: "x" } });
  expect(moved).toMatchObject({
    status: 202,
    body: { approval: { kind: "provider", input: { addresses_to: expect.stringContaining("evil.example"), new: false } } },
  });
  expect(JSON.stringify((await fixture.get("/providers/waits")).body)).not.toContain("evil.example");
  await by(asha, `/approvals/${moved.body.approval.approval_id}/withdraw`);
  expect((await by(asha, "/providers/waits", { definition })).status).toBe(200);
  expect((await by(asha, "/providers", { definition: { ...elsewhere, name: "new-one" } })).status).toBe(202);
  expect((await by(asha, "/providers/waits/switch", { enabled: false })).status).toBe(200);
});

test("a candidate waits like any change of a description, and becomes the candidate, not the current version", async () => {
  await rules(ON);
  const { body } = await fixture.get("/providers/waits/definition");
  const held = await by(asha, "/providers/waits/candidate", { definition: { ...body.definition, polling: { quiet_seconds: 9 } } });
  expect(held).toMatchObject({ status: 202, body: { approval: { kind: "provider", input: { candidate: true } } } });
  expect((await fixture.get("/providers/waits/versions")).body).toMatchObject({ current: 1, candidate: null });
  expect((await approve(binu, held)).body).toMatchObject({ state: "done" });
  expect((await fixture.get("/providers/waits/versions")).body).toMatchObject({ current: 1, candidate: 2, percent: 0 });
});

test("a change that is refused now is not saved unapproved because another version is made current meanwhile", async () => {
  await rules(ON);
  const { sql } = fixture.deps;
  const { definition } = (await fixture.get("/providers/waits/definition")).body;
  const elsewhere = JSON.parse(JSON.stringify(definition).replaceAll("api.quickpay.example", "b.example"));
  const promote = (tx: Pick<typeof sql, "unsafe">, from: string, to: string) =>
    tx.unsafe(`update providers set settings = replace(settings::text, '${from}', '${to}')::jsonb where provider = 'waits'`);
  const sent = await sql.begin(async (tx) => {
    await tx`select from providers where provider = 'waits' for update`;
    let isAnswered = false;
    const answer = by(asha, "/providers/waits", { definition: { ...elsewhere, polling: { quiet_seconds: 77 } } }).finally(() => {
      isAnswered = true;
    });
    const isWaiting = async () => (await sql`select from pg_locks where not granted`).length > 0;
    await expect.poll(async () => isAnswered || (await isWaiting())).toBe(true);
    await promote(tx, "api.quickpay.example", "b.example");
    return { answer };
  });
  expect(await sent.answer).toMatchObject({ status: 400 });
  await promote(sql, "b.example", "api.quickpay.example");
});

test("the secret of a provider that another process has just added waits too", async () => {
  await rules(ON);
  const known = fixture.deps.providerRegistry.providers().find(({ row }) => row.provider === "waits");
  if (!known) throw new Error("The test before adds it.");
  const { connector, settings } = known.row;
  const added = {
    provider: "elsewhere",
    connector,
    settings: { ...settings, name: "elsewhere" },
    secrets: { token: "first", pin: "first" },
  };
  expect(await saveProvider({ ...fixture.deps, refresh: async () => {} }, "test", added)).toMatchObject({ kind: "done" });
  expect((await by(asha, "/providers/elsewhere/secret", { name: "token", value: "second" })).status).toBe(202);
  expect((await by(asha, "/providers/nobodys/secret", { name: "token", value: "second" })).status).toBe(404);
});

test("a provider that was changed meanwhile is not taken back to what was agreed to", async () => {
  await rules(ON);
  const { definition } = (await fixture.get("/providers/waits/definition")).body;
  const held = await by(asha, "/providers/waits", { definition: { ...definition, polling: { quiet_seconds: 4321 } } });
  expect(held.status).toBe(202);
  await rules({ ...ON, providers_included: false });
  expect((await by(binu, "/providers/waits", { definition: { ...definition, polling: { quiet_seconds: 5432 } } })).status).toBe(200);
  expect((await approve(binu, held)).body).toMatchObject({
    state: "failed",
    result: { reason: expect.stringContaining("in the meantime") },
  });
});
