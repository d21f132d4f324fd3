import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../../platform/db/connection.ts";
import { MAX_SKEW_SECONDS } from "../../../platform/db/database-clock.ts";
import { type TestDatabase, testDatabase } from "../../../testing/database.ts";
import { type Admission, type Arrival, createAdmissionBatcher } from "./admission.ts";
import { sweepNonces } from "./admission-store.ts";

let database: TestDatabase;
let counter = 0;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

function batcherAt(start: number) {
  let now = start * 1000;
  const clock = { now: () => now };
  return {
    admission: createAdmissionBatcher(database.sql, clock),
    second: (second: number) => createAdmissionBatcher(database.sql, at(second)),
    set: (seconds: number) => {
      now = seconds * 1000;
    },
  };
}

function arrival(more: Partial<Arrival> = {}): Arrival {
  return { accountId: `A${counter}`, budget: "money", cap: 10, nonce: null, ...more };
}

const at = (second: number) => ({ now: () => second * 1000 });
const kinds = (admissions: readonly Admission[]) => admissions.map((one) => one.kind).sort();
const times = <Value>(count: number, make: () => Value) => Array.from({ length: count }, make);

test("of two hundred concurrent requests exactly the cap is admitted", async () => {
  counter++;
  const { admission } = batcherAt(1_000_000);
  const admissions = await Promise.all(times(200, () => admission.admit(arrival())));
  expect(admissions.filter((one) => one.kind === "admitted")).toHaveLength(10);
  expect(admissions.filter((one) => one.kind === "over")).toHaveLength(190);
});

test("two processes share one budget", async () => {
  counter++;
  const first = batcherAt(2_000_000).admission;
  const second = batcherAt(2_000_000).admission;
  const admissions = await Promise.all(times(40, () => [first.admit(arrival()), second.admit(arrival())]).flat());
  expect(admissions.filter((one) => one.kind === "admitted")).toHaveLength(10);
});

test("money requests and GET requests have separate budgets", async () => {
  counter++;
  const { admission } = batcherAt(3_000_000);
  await Promise.all(times(10, () => admission.admit(arrival())));
  expect((await admission.admit(arrival())).kind).toBe("over");
  expect((await admission.admit(arrival({ budget: "get" }))).kind).toBe("admitted");
});

test("budget is free again exactly sixty seconds after the oldest request, and refused requests do not count", async () => {
  counter++;
  const at = batcherAt(4_000_000);
  await Promise.all(times(4, () => at.admission.admit(arrival())));
  at.set(4_000_030);
  await Promise.all(times(6, () => at.admission.admit(arrival())));
  expect(await at.admission.admit(arrival())).toEqual({ kind: "over", retryAfterSeconds: 30 });
  at.set(4_000_059);
  expect(await at.admission.admit(arrival())).toEqual({ kind: "over", retryAfterSeconds: 1 });
  at.set(4_000_060);
  expect(kinds(await Promise.all(times(5, () => at.admission.admit(arrival()))))).toEqual([
    "admitted",
    "admitted",
    "admitted",
    "admitted",
    "over",
  ]);
  at.set(4_000_090);
  expect((await at.admission.admit(arrival())).kind).toBe("admitted");
});

test("no rolling minute admits more than the cap, whatever the rate", async () => {
  counter++;
  const at = batcherAt(5_000_000);
  const admitted: number[] = [];
  for (let second = 5_000_000; second < 5_000_300; second += 7) {
    at.set(second);
    const answers = await Promise.all(times(3, () => at.admission.admit(arrival())));
    for (const one of answers) if (one.kind === "admitted") admitted.push(second);
  }
  for (const start of admitted) expect(admitted.filter((second) => second >= start && second < start + 60).length).toBeLessThanOrEqual(10);
  expect(admitted.length).toBeGreaterThanOrEqual(50);
});

test("for any arrival times each rolling minute admits exactly as many requests as its cap allows", async () => {
  const accounts = ["one", "two", "three"];
  const step = fc.record({ seconds: fc.nat({ max: 75 }), wanted: fc.tuple(...accounts.map(() => fc.nat({ max: 7 }))) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      counter++;
      let now = 4_000_000;
      const admission = createAdmissionBatcher(database.sql, { now: () => now * 1000 });
      const letIn = new Map<string, number[]>(accounts.map((name) => [`A${counter}${name}`, []]));
      for (const { seconds, wanted } of steps) {
        now += seconds;
        const asked = [...letIn.keys()].flatMap((accountId, at) => times(wanted[at] ?? 0, () => accountId));
        const answers = await Promise.all(asked.map((accountId) => admission.admit(arrival({ accountId }))));
        for (const [accountId, before] of letIn) {
          const got = answers.filter((one, at) => asked[at] === accountId && one.kind === "admitted").length;
          const room = 10 - before.filter((second) => second > now - 60).length;
          expect(got).toBe(Math.min(room, asked.filter((one) => one === accountId).length));
          before.push(...times(got, () => now));
        }
      }
    }),
    { numRuns: 40 },
  );
});

test("a raised cap applies at once", async () => {
  counter++;
  const { admission } = batcherAt(6_000_000);
  await Promise.all(times(11, () => admission.admit(arrival())));
  expect((await admission.admit(arrival({ cap: 11 }))).kind).toBe("admitted");
  expect((await admission.admit(arrival({ cap: 11 }))).kind).toBe("over");
});

test("a lowered cap refuses until enough requests have left the rolling minute", async () => {
  counter++;
  const at = batcherAt(7_000_000);
  await Promise.all(times(5, () => at.admission.admit(arrival())));
  at.set(7_000_020);
  await Promise.all(times(5, () => at.admission.admit(arrival())));
  expect(await at.admission.admit(arrival({ cap: 5 }))).toEqual({ kind: "over", retryAfterSeconds: 60 });
});

test("a clock set back neither frees the budget nor locks it", async () => {
  counter++;
  const at = batcherAt(8_000_000);
  await Promise.all(times(10, () => at.admission.admit(arrival())));
  at.set(7_990_000);
  expect((await at.admission.admit(arrival())).kind).toBe("over");
  at.set(7_990_060);
  expect((await at.admission.admit(arrival())).kind).toBe("admitted");
});

test("of fifty concurrent requests with one nonce in two processes, one passes", async () => {
  counter++;
  const batchers = [batcherAt(9_000_000).admission, batcherAt(9_000_000).admission];
  const nonce = { text: "once", expiresAt: 9_000_300 };
  const admissions = await Promise.all(times(25, () => batchers.map((admission) => admission.admit(arrival({ cap: 1000, nonce })))).flat());
  expect(kinds(admissions)).toEqual(["admitted", ...times(49, () => "replayed")]);
});

test("only the replayed request of a batch is refused, and the other nonces are recorded", async () => {
  counter++;
  const { admission } = batcherAt(9_050_000);
  const admit = (text: string) => admission.admit(arrival({ cap: 1000, nonce: { text, expiresAt: 9_050_300 } }));
  await admit("facts");
  const once = await Promise.all(["b", "facts", "a", "b", "c"].map(admit));
  expect(once.map((one) => one.kind)).toEqual(["admitted", "replayed", "admitted", "replayed", "admitted"]);
  const again = await Promise.all(["a", "b", "c", "d"].map(admit));
  expect(again.map((one) => one.kind)).toEqual(["replayed", "replayed", "replayed", "admitted"]);
});

test("two processes with the same nonces in opposite order do not deadlock", async () => {
  counter++;
  const connections = times(2, () => connect({ url: database.url, connections: 1, role: null }));
  // Separate budgets, so that only the nonces are shared, and no deadlock detection.
  const batchers = await Promise.all(
    connections.map(({ sql }) => sql`set deadlock_timeout = '1h'`.then(() => createAdmissionBatcher(sql, at(9_070_000)))),
  );
  for (let round = 0; round < 10; round++) {
    const texts = Array.from({ length: 400 }, (_, index) => `${round}.${index}`);
    const admissions = await Promise.all(
      [texts, texts.toReversed()].flatMap((some, process) =>
        some.map((text) =>
          batchers[process]?.admit(arrival({ cap: 10_000, budget: process ? "get" : "money", nonce: { text, expiresAt: 9_070_300 } })),
        ),
      ),
    );
    expect(admissions.filter((one) => one?.kind === "admitted")).toHaveLength(texts.length);
  }
  await Promise.all(connections.map(({ close }) => close()));
});

test("another account may use the same nonce", async () => {
  counter++;
  const { admission } = batcherAt(9_100_000);
  const nonce = { text: "shared", expiresAt: 9_100_300 };
  expect((await admission.admit(arrival({ nonce }))).kind).toBe("admitted");
  expect((await admission.admit(arrival({ nonce, accountId: "Aother" }))).kind).toBe("admitted");
});

test("a request over budget does not use up its nonce", async () => {
  counter++;
  const at = batcherAt(9_200_000);
  const nonce = { text: "saved", expiresAt: 9_200_300 };
  await Promise.all(times(10, () => at.admission.admit(arrival())));
  expect((await at.admission.admit(arrival({ nonce }))).kind).toBe("over");
  at.set(9_200_060);
  expect((await at.admission.admit(arrival({ nonce }))).kind).toBe("admitted");
});

const clockAt = (second: number, offsetSeconds = 0) => ({ now: () => (second + offsetSeconds) * 1000, offsetSeconds });

async function isKept(nonce: string): Promise<boolean> {
  return (await database.sql`select from request_nonces where nonce = ${nonce}`).length > 0;
}

test("a nonce stays used until its timestamp is stale by any tolerated clock, and is deleted after that", async () => {
  counter++;
  const at = batcherAt(9_300_000);
  const nonce = { text: "kept", expiresAt: 9_300_600 };
  await at.admission.admit(arrival({ nonce }));
  // A process whose clock is ahead by the tolerated maximum.
  await sweepNonces(database.sql, clockAt(9_300_600 + MAX_SKEW_SECONDS));
  expect((await at.admission.admit(arrival({ nonce }))).kind).toBe("replayed");
  await sweepNonces(database.sql, clockAt(9_300_600 + MAX_SKEW_SECONDS + 1));
  expect(await isKept("kept")).toBe(false);
});

test.each([
  [3600, 0],
  [0, -3600],
])("with clock offsets of %d s and %d s, neither process deletes a nonce that the other still refuses", async (own, other) => {
  counter++;
  const at = batcherAt(9_400_000 + other);
  const text = `shifted${own}`;
  await at.admission.admit(arrival({ nonce: { text, expiresAt: 9_400_300 + other } }));
  const row = (offset: number) => ({
    ...{ process_id: `shifted${offset}`, host: "h", pid: 1, started_at: new Date(), seen_at: new Date(), oldest_open_at: new Date() },
    clock_offset_seconds: offset,
  });
  await database.sql`insert into processes ${database.sql([row(own), row(other)])}`;
  await sweepNonces(database.sql, clockAt(9_400_300, own));
  expect(await isKept(text)).toBe(true);
  await sweepNonces(database.sql, clockAt(9_400_300 + MAX_SKEW_SECONDS + 1, own));
  expect(await isKept(text)).toBe(false);
  await database.sql`delete from processes where host = 'h'`;
});

test("a locked budget row delays only its own account, which is refused in time", async () => {
  const connection = connect({ url: database.url, connections: 1, role: "corprail_app", purpose: "batches" });
  const owner = connect({ url: database.url, connections: 1, role: null });
  const admission = createAdmissionBatcher(connection.sql, at(9_500_000), undefined, database.sql);
  const [locked, other] = [arrival({ accountId: "LOCKED" }), arrival({ accountId: "OTHER" })];
  expect(await Promise.all([admission.admit(locked), admission.admit(other)])).toEqual([{ kind: "admitted" }, { kind: "admitted" }]);
  await owner.sql.unsafe("begin; select from rate_limit_windows where account_id = 'LOCKED' for update");
  const refused = expect(admission.admit(locked)).rejects.toMatchObject({ code: "55P03" });
  expect(await admission.admit(other)).toEqual({ kind: "admitted" });
  expect(await admission.admit(other)).toEqual({ kind: "admitted" });
  await refused;
  const waiting = admission.admit(locked);
  await owner.sql.unsafe("rollback");
  expect(await waiting).toEqual({ kind: "admitted" });
  await owner.close();
  await connection.close();
});
