import { afterAll, beforeAll, expect, test } from "vitest";
import { indiaDate } from "../../platform/core/india-time.ts";
import { type Answer, type Client, createFixture, type Fixture } from "./testing/fixture.ts";

let fixture: Fixture;
let client: Client;
const DAY = 24 * 60 * 60 * 1000;

beforeAll(async () => {
  fixture = await createFixture();
  client = await fixture.client();
  for (let number = 0; number < 13; number++) await client.complaint(await client.order());
});
afterAll(() => fixture?.close());

const refsOf = (answer: Answer): readonly string[] => answer.body.items.map((item: { complaint_ref: string }) => item.complaint_ref);
const daysAgo = (days: number) => indiaDate(fixture.operator.settings.clock.now() - days * DAY);

async function moveBack(ref: string, days: number): Promise<void> {
  await fixture.ctx.sql`update complaints set raised_at = raised_at - make_interval(days => ${days}) where complaint_ref = ${ref}`;
}

/** Every reference of a list, page after page; `between` runs after each. */
async function follow(get: (path: string) => Promise<Answer>, path: string, between: () => Promise<unknown>): Promise<readonly string[]> {
  const seen: string[] = [];
  let next: string | null = null;
  do {
    const page = await get(`${path}${next === null ? "" : `&after=${encodeURIComponent(next)}`}`);
    expect(page).toMatchObject({ status: 200, body: { ok: true } });
    seen.push(...refsOf(page));
    next = page.body.next;
    await between();
  } while (next !== null);
  return seen;
}

test("following a list shows each complaint of the first moment exactly once, while more are raised", async () => {
  const add = async () => client.complaint(await client.order());
  for (const limit of [1, 4, 5]) {
    const existing = refsOf(await client.get("/complaints?limit=200"));
    expect(await follow(client.get, `/complaints?limit=${limit}`, add)).toEqual(existing);
    const all = refsOf(await fixture.operator.get("/complaints?limit=200"));
    expect(await follow(fixture.operator.get, `/complaints?limit=${limit}`, add)).toEqual(all);
  }
});

test("complaints of one millisecond are distinguished", async () => {
  const own = await fixture.client();
  const same = await Promise.all(Array.from({ length: 9 }, async () => own.complaint(await own.order())));
  await fixture.ctx.sql`update complaints set raised_at = date_trunc('second', now()) where account_id = ${own.accountId}`;
  const nothing = async () => undefined;
  expect(await follow(own.get, "/complaints?limit=2", nothing)).toEqual(same.toSorted().toReversed());
});

test("a day that begins between two pages takes nothing away", async () => {
  const own = await fixture.client();
  const [newer, older] = [await own.complaint(await own.order()), await own.complaint(await own.order())];
  await moveBack(older, 6);
  const first = await own.get("/complaints?limit=1");
  expect(refsOf(first)).toEqual([newer]);
  fixture.operator.settings.clock.advance(DAY);
  expect(refsOf(await own.get(`/complaints?limit=1&after=${first.body.next}`))).toEqual([older]);
  fixture.operator.settings.clock.advance(-DAY);
});

test("a client sees the days it asks for, both included, and all of them unless it asks", async () => {
  const own = await fixture.client();
  const raised = await Promise.all([0, 6, 7, 30].map(async (days) => ({ days, ref: await own.complaint(await own.order()) })));
  for (const { days, ref } of raised) await moveBack(ref, days);
  const on = (...days: readonly number[]) => days.map((day) => raised.find((one) => one.days === day)?.ref);
  const listed = async (query: string) => refsOf(await own.get(`/complaints${query}`));
  expect(await listed("")).toEqual(on(0, 6, 7, 30));
  expect(await listed(`?from=${daysAgo(30)}`)).toEqual(on(0, 6, 7, 30));
  expect(await listed(`?from=${daysAgo(7)}&to=${daysAgo(6)}`)).toEqual(on(6, 7));
  expect(await listed(`?to=${daysAgo(7)}`)).toEqual(on(7, 30));
  expect(await listed(`?from=${daysAgo(0)}&to=${daysAgo(0)}`)).toEqual(on(0));
});

test("a status shows its complaints only, to the client and to the operator", async () => {
  const own = await fixture.client();
  const [open, resolved, refunded] = [
    await own.complaint(await own.order()),
    await own.complaint(await own.order()),
    await own.complaint(await own.order()),
  ];
  await fixture.clear(resolved, "stands");
  await fixture.clear(refunded, "refund");
  for (const [status, ref] of [
    ["OPEN", open],
    ["RESOLVED", resolved],
    ["REFUNDED", refunded],
  ] as const) {
    expect(refsOf(await own.get(`/complaints?status=${status}`))).toEqual([ref]);
    const { items } = (await fixture.operator.get(`/complaints?status=${status}&limit=200`)).body;
    expect(items.every((item: { status: string }) => item.status === status)).toBe(true);
    const mine = items.find((item: { complaint_ref: string }) => item.complaint_ref === ref);
    const record = (await own.get(`/complaints/${ref}`)).body;
    expect(mine).toMatchObject({ ...record, account_id: own.accountId, blocked_by: null });
  }
});

/** A cursor that no list wrote: of a complaint raised at this time. */
function cursorAt(milliseconds: string): string {
  return Buffer.from(`2026-01-01 2026-01-02 ${milliseconds} CMPAAAAAAAAAAAA`).toString("base64url");
}

const WRONG: readonly (readonly [query: string, field: string])[] = [
  ["limit=0", "limit"],
  ["limit=201", "limit"],
  ["limit=x", "limit"],
  ["after=x", "after"],
  ["after=", "after"],
  [`after=${cursorAt("999999999999999")}`, "after"],
  [`after=${cursorAt("253402300800000")}`, "after"],
  ["status=open", "status"],
  ["from=2026-02-30", "from"],
  ["from=yesterday", "from"],
  ["to=2026-1-1", "to"],
  ["from=2026-01-02&to=2026-01-01", "from"],
];
test.each(WRONG)("a list asked with %s is refused with the field's name", async (query, field) => {
  expect(await client.get(`/complaints?${query}`)).toMatchObject({
    status: 400,
    body: { error: "invalid_request", code: 120, fields: { [field]: expect.any(String) } },
  });
});

test.each(["limit=0", "after=x", "status=open", "status=OPEN&status=OPEN"])(
  "the operator's list asked with %s is refused",
  async (query) => {
    expect(await fixture.operator.get(`/complaints?${query}`)).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  },
);
