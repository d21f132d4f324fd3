import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createLog } from "../../../platform/observability/log.ts";
import { type TestDatabase, testDatabase } from "../../../testing/database.ts";
import { type ScriptedConnector, scriptedConnector } from "../testing/scripted-connector.ts";
import type { ListKey } from "./list.ts";
import { createProviderLists, type ProviderLists } from "./provider-lists.ts";
import { requestRefresh } from "./request-refresh.ts";
import { type ListState, readFailingLists, readListStates } from "./store.ts";

const HOUR = 3_600_000;
const LIST: ListKey = { provider: "acme", name: "aeps.banks", key: "" };
const CITIES = { cities: [{ city_id: "1", name: "Pune", state: "MH" }] };

let database: TestDatabase;
let connector: ScriptedConnector;
let now: number;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { sql } = database;
  now = Date.UTC(2026, 0, 1);
  await sql`delete from provider_lists`;
  await sql`insert into providers (provider, connector, settings, created_at) values ('acme', 'corprail', '{}', now()) on conflict do nothing`;
  await sql`insert into provider_routes (service, operator, provider) values ('aeps', '*', 'acme') on conflict do nothing`;
  connector = scriptedConnector([], { answers: { "aeps.banks": banks(10), "bus.cities": CITIES, plans: { plans: [] } } });
});

function banks(count: number) {
  return {
    banks: Array.from({ length: count }, (_, at) => ({ iin: `6070${at}`, name: `Bank ${at}`, live: true, per_transaction: false })),
  };
}

const clock = { now: () => now };

/** A process of the service, as far as lists go. */
function startProcess(inUse: readonly ListKey[] = [LIST], stopping = new AbortController().signal): ProviderLists {
  return createProviderLists({
    ...{ sql: database.sql, clock, log: createLog("silent"), connector: () => connector, ageMilliseconds: 6 * HOUR, stopping },
    inUse: () => inUse,
  });
}

async function stateNow(): Promise<ListState> {
  const [state] = await readListStates(database.sql, "acme");
  if (!state) throw new Error("There is no list.");
  return state;
}

const answer = (value: object) => {
  connector.answers["aeps.banks"] = value;
};

test("a list is read from the provider once and then from the database, also by another process", async () => {
  const first = startProcess();
  const all = await Promise.all([1, 2, 3].map(() => first.read("acme", "aeps.banks", {})));
  expect(all[0]?.banks).toHaveLength(10);
  expect(await startProcess().read("acme", "aeps.banks", {})).toEqual(banks(10));
  expect(connector.asked).toEqual(["aeps.banks"]);
});

test("several processes refresh a list once, and again only after its age", async () => {
  const processes = [startProcess(), startProcess(), startProcess()];
  const run = () => Promise.all(processes.map((one) => one.refreshDue()));
  await run();
  await run();
  expect(connector.asked).toHaveLength(1);
  now += 5 * HOUR;
  await run();
  expect(connector.asked).toHaveLength(1);
  now += HOUR;
  await run();
  expect(connector.asked).toHaveLength(2);
});

test("a process takes over what another one has refreshed", async () => {
  const [one, other] = [startProcess(), startProcess([])];
  expect((await other.read("acme", "aeps.banks", {})).banks).toHaveLength(10);
  now += 7 * HOUR;
  answer(banks(12));
  await one.refreshDue();
  await other.refreshDue();
  expect((await other.read("acme", "aeps.banks", {})).banks).toHaveLength(12);
  expect(connector.asked).toHaveLength(2);
});

test("a list that fails stays as it was, is tried again after a growing pause, and recovers", async () => {
  const lists = startProcess();
  await lists.refreshDue();
  answer(() => ({ kind: "unavailable", why: "time-out" }));
  now += 7 * HOUR;
  await lists.refreshDue();
  expect(await stateNow()).toMatchObject({ items: 10, failure: "No usable answer: time-out", failingSince: new Date(now) });
  expect((await startProcess().read("acme", "aeps.banks", {})).banks).toHaveLength(10);
  expect(await readFailingLists(database.sql)).toMatchObject([{ provider: "acme", name: "aeps.banks" }]);
  for (const seconds of [5, 6, 15, 6]) {
    now += seconds * 1_000;
    await lists.refreshDue();
  }
  expect(connector.asked).toHaveLength(4);
  answer(banks(11));
  now += HOUR;
  await lists.refreshDue();
  expect(await stateNow()).toMatchObject({ items: 11, failure: null, failingSince: null, refreshedAt: new Date(now) });
  expect(await readFailingLists(database.sql)).toEqual([]);
});

test.each([0, 4])("a list that shrinks from 10 to %i entries is not taken over until staff consent", async (count) => {
  const lists = startProcess();
  await lists.refreshDue();
  answer(banks(count));
  now += 7 * HOUR;
  await lists.refreshDue();
  expect(await stateNow()).toMatchObject({ items: 10, failure: expect.stringContaining("the list before has 10") });
  const context = { sql: database.sql, clock };
  expect(await requestRefresh(context, "test", { provider: "acme", acceptSmaller: false })).toEqual({ kind: "done", lists: 1 });
  await lists.refreshDue();
  expect(await stateNow()).toMatchObject({ items: 10 });
  await requestRefresh(context, "test", { provider: "acme", acceptSmaller: true, reason: "billers left" });
  await lists.refreshDue();
  expect(await stateNow()).toMatchObject({ items: count, failure: null });
  const [entry] = await database.sql`select action, subject_id, details from audit_log order by seq desc limit 1`;
  expect(entry).toMatchObject({ action: "provider.lists_refreshed", subject_id: "acme", details: expect.stringContaining("billers left") });
});

test("a list that shrinks by half is taken over", async () => {
  const lists = startProcess();
  await lists.refreshDue();
  answer(banks(5));
  now += 7 * HOUR;
  await lists.refreshDue();
  expect(await stateNow()).toMatchObject({ items: 5, failure: null });
});

test("an answer that does not have the operation's form is a failure", async () => {
  answer({ banks: [{ iin: "", name: 7 }] });
  await startProcess().refreshDue();
  expect(await stateNow()).toMatchObject({ refreshedAt: null, failure: expect.stringContaining("not valid") });
  await expect(startProcess().read("acme", "aeps.banks", {})).rejects.toThrow("aeps.banks");
  expect(connector.asked).toHaveLength(1);
});

test("the lease of a process that died is taken over after it has expired", async () => {
  const until = new Date(now + 60_000);
  await database.sql`
    insert into provider_lists (provider, name, due_at, leased_until) values ('acme', 'aeps.banks', ${new Date(now)}, ${until})`;
  await startProcess().refreshDue();
  expect(connector.asked).toEqual([]);
  now += 61_000;
  await startProcess().refreshDue();
  expect(await stateNow()).toMatchObject({ items: 10, leasedUntil: null });
});

test("plans are stored for each operator and circle", async () => {
  const lists = startProcess();
  await lists.read("acme", "plans", { operator: "AT", circle: "KA" });
  await lists.read("acme", "plans", { operator: "AT", circle: null });
  await lists.read("acme", "plans", { operator: "AT", circle: null });
  expect((await readListStates(database.sql, "acme")).map(({ key }) => key)).toEqual(["AT/", "AT/KA"]);
  expect(connector.asked).toEqual(["plans", "plans"]);
});
