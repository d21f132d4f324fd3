import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOrder } from "../../../domain/complaints/testing/build-order.ts";
import { type ConsoleFixture, createConsoleFixture, type StaffMember } from "../console/testing/fixture.ts";

let api: ConsoleFixture;
let meera: StaffMember;
let binu: StaffMember;
let accountId: string;
beforeAll(async () => {
  api = await createConsoleFixture();
  [meera, binu] = [await api.newStaff("support"), await api.newStaff("finance")];
  accountId = await newClient({});
});
afterAll(() => api.close());

async function newClient(fields: object): Promise<string> {
  const { account_id: id } = await api.newAccount(fields);
  await api.post(`/accounts/${id}/wallet`, { amount: "1000.00", reference: "start" });
  return id;
}

const order = (of = accountId) => buildOrder(api.deps.orders, of, { state: "pending" });

async function complaint(of = accountId): Promise<string> {
  const ref = `CMP${(await order(of)).slice(-12)}`;
  const { sql, clock } = api.settings.ctx;
  const at = new Date(clock.now());
  const orderId = await order(of);
  await sql`
    insert into complaints (account_id, complaint_ref, order_id, reason_code, description, raised_at, due_by)
    values (${of}, ${ref}, ${orderId}, 'not_credited', 'Nothing came', ${at}, ${at})`;
  return ref;
}

async function alert(): Promise<string> {
  const { sql, clock, ids } = api.settings.ctx;
  const at = new Date(clock.now());
  const alertId = ids.entry(clock.now());
  await sql`
    insert into alerts (alert_id, kind, subject, message, opened_at, seen_at)
    values (${alertId}, 'breaker_open', ${alertId}, 'The breaker of simulator is open.', ${at}, ${at})`;
  return alertId;
}

const items = [
  ["complaint", "/complaints", complaint],
  ["order", "/orders", order],
  ["alert", "/alerts", alert],
] as const;

test.each(items)("%s: it is taken, noted and handed over with a word, and each step is audited", async (kind, path, make) => {
  const id = await make();
  const at = `${path}/${id}`;
  expect((await binu.browser.get(`${at}/work`)).body).toEqual({ assigned_to: null, assigned_by: null, assigned_at: null, notes: [] });
  expect((await meera.browser.post(`${at}/assign`, { assigned_to: "me" })).body).toMatchObject({ assigned_to: meera.userId });
  const noted = await binu.browser.post(`${at}/notes`, { text: "  The operator answers on Friday. " });
  expect(noted.body.notes.at(-1)).toMatchObject({ event: "note", author: `staff:${binu.userId}`, text: "The operator answers on Friday." });
  const wordless = await meera.browser.post(`${at}/assign`, { assigned_to: binu.userId });
  expect(wordless).toMatchObject({ status: 400, body: { fields: { note: expect.any(String) } } });
  const handed = await meera.browser.post(`${at}/assign`, { assigned_to: binu.userId, note: "Please call them." });
  expect(handed.body).toMatchObject({ assigned_to: binu.userId, assigned_by: `staff:${meera.userId}`, assigned_at: expect.any(String) });
  expect((await meera.browser.post(`${at}/assign`, { assigned_to: null })).status).toBe(400);
  expect((await binu.browser.post(`${at}/assign`, { assigned_to: null })).body).toMatchObject({ assigned_to: null });
  const { items: audited } = (await api.get(`/audit?subject_kind=${kind}&subject_id=${id}`)).body;
  expect(audited.map((entry: { action: string }) => entry.action)).toEqual([
    `${kind}.released`,
    `${kind}.assigned`,
    `${kind}.noted`,
    `${kind}.assigned`,
  ]);
  expect(audited[1]).toMatchObject({ actor: `staff:${meera.userId}`, details: { from: meera.userId, assigned_to: binu.userId } });
});

test.each(items)("%s: lists can be filtered by items of mine, of a colleague or unassigned", async (_kind, path, make) => {
  const [mine, theirs, free] = [await make(), await make(), await make()];
  await meera.browser.post(`${path}/${mine}/assign`, { assigned_to: "me" });
  await binu.browser.post(`${path}/${theirs}/assign`, { assigned_to: "me" });
  const listed = async (assignedTo: string) => {
    const { body } = await meera.browser.get(`${path}?assigned_to=${assignedTo}&limit=200`);
    return body.items.map((row: Record<string, unknown>) => row["complaint_ref"] ?? row["order_id"] ?? row["alert_id"]);
  };
  expect(await listed("me")).toEqual([mine]);
  expect(await listed(binu.userId)).toEqual([theirs]);
  const nobodys = await listed("nobody");
  expect([nobodys.includes(free), nobodys.includes(mine), nobodys.includes(theirs)]).toEqual([true, false, false]);
  expect((await api.get(`${path}?assigned_to=me`)).body.fields).toHaveProperty("assigned_to");
});

test("of two who take an item at the same time, one gets it and the other is asked for a word", async () => {
  const ref = await complaint();
  const take = (who: StaffMember) => who.browser.post(`/complaints/${ref}/assign`, { assigned_to: "me" });
  const answers = await Promise.all([take(meera), take(binu)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});

test("items are assigned to active staff who may work, and cannot be assigned to others", async () => {
  const ref = await complaint();
  const auditor = await api.newStaff("auditor");
  const give = (to: string) => meera.browser.post(`/complaints/${ref}/assign`, { assigned_to: to, note: "Yours." });
  for (const to of [auditor.userId, "UNKNOWN"]) expect(await give(to)).toMatchObject({ status: 400, body: { fields: expect.anything() } });
  expect((await api.post(`/complaints/${ref}/assign`, { assigned_to: "me" })).status).toBe(400);
  expect((await auditor.browser.post(`/complaints/${ref}/notes`, { text: "Seen." })).status).toBe(403);
  expect((await meera.browser.post(`/complaints/${ref}/notes`, { text: "  " })).status).toBe(400);
  expect((await meera.browser.get("/complaints/CMP000000000000/work")).status).toBe(404);
});

test("the bell shows what concerns a person once, until it is read, in the mode that it belongs to", async () => {
  const rita = await api.newStaff("operations");
  const bell = async (query = "") => (await rita.browser.get(`/notifications${query}`)).body;
  const before = (await bell()).items.length;
  const ref = await complaint();
  // A new complaint concerns everybody until somebody handles it.
  expect((await bell()).items[0]).toMatchObject({ kind: "complaint_raised", subject_id: ref, state: "not_credited", read: false });
  await meera.browser.post(`/complaints/${ref}/assign`, { assigned_to: rita.userId, note: "The client waits." });
  await binu.browser.post(`/complaints/${ref}/notes`, { text: "I have the proof." });
  await rita.browser.post(`/complaints/${ref}/notes`, { text: "My own note." });
  await binu.browser.post(`/complaints/${ref}/assign`, { assigned_to: "me", note: "I do it." });
  const { items: shown, unread } = await bell();
  expect(shown.slice(0, 3)).toMatchObject([
    { kind: "unassigned", actor: `staff:${binu.userId}`, subject_id: ref, text: "I do it.", read: false },
    { kind: "note", text: "I have the proof.", read: false },
    { kind: "assigned", actor: `staff:${meera.userId}`, text: "The client waits.", read: false },
  ]);
  expect(shown).toHaveLength(before + 3);
  await rita.browser.post("/notifications/read", { notification_ids: [shown[0].notification_id] });
  expect(await bell()).toMatchObject({ unread: unread - 1 });
  expect((await bell()).items[0].read).toBe(true);
  expect((await bell("?mode=test")).items).toEqual([]);
  expect((await api.get("/notifications")).status).toBe(403);
});

test("the menu's numbers count open items and those of the caller, live and test apart", async () => {
  const rita = await api.newStaff("operations");
  const counts = async (query = "") => (await rita.browser.get(`/work/counts${query}`)).body;
  const before = await counts();
  const sandbox = await newClient({ sandbox: true });
  const [ref, testRef, alertId] = [await complaint(), await complaint(sandbox), await alert()];
  for (const path of [`/complaints/${ref}`, `/alerts/${alertId}`]) await rita.browser.post(`${path}/assign`, { assigned_to: "me" });
  expect(await counts()).toEqual({
    ...before,
    complaints: before.complaints + 1,
    alerts: before.alerts + 1,
    my_complaints: 1,
    my_alerts: 1,
  });
  expect(await counts("?mode=test")).toMatchObject({ complaints: 1, my_complaints: 0, alerts: 0, orders: 0 });
  expect((await rita.browser.post(`/complaints/${testRef}/assign`, { assigned_to: "me" })).status).toBe(409);
});
