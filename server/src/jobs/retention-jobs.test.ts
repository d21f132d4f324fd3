import { expect, test } from "vitest";
import { createServiceClock } from "../platform/core/clock.ts";
import { connect } from "../platform/db/connection.ts";
import { createLog } from "../platform/observability/log.ts";
import { testDatabase } from "../testing/database.ts";
import { retentionJobs } from "./retention-jobs.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The partitions job of one process, with a clock that the test sets, and one provider exchange of yesterday. */
async function withExchange(work: (test: Awaited<ReturnType<typeof createTest>>) => Promise<void>): Promise<void> {
  const created = await createTest();
  try {
    await work(created);
  } finally {
    await created.close();
  }
}

async function createTest() {
  const database = await testDatabase();
  const owner = connect({ url: database.url, connections: 2, role: null });
  const state = { steady: 0, fault: null as string | null };
  const clock = createServiceClock({ offsetSeconds: 0, steady: () => state.steady, reading: readingOf(Date.now(), 0) });
  const jobs = retentionJobs({
    ...{ sql: database.sql, asOwner: (work) => work(owner.sql), log: createLog("silent"), clock, clockFault: () => state.fault },
    ...{
      metrics: { swept: () => {} },
      retention: { evidenceDays: 400, callbackLogDays: 400, apiLogDays: 7, unusedDays: 30, documentDays: 1_826 },
    },
  });
  const run = async () => void (await jobs.find(({ name }) => name === "partitions")?.run());
  await run();
  await owner.sql`
    insert into provider_exchanges (account_id, order_id, exchange_id, attempt, provider, operation, at, milliseconds, request)
    values ('A1', 'O1', 'E1', 1, 'p', 'o', ${new Date(Date.now() - DAY)}, 1, 'x')`;
  return {
    ...{ run, exchanges: async () => (await owner.sql`select from provider_exchanges`).length },
    wait: (milliseconds: number) => {
      state.steady += milliseconds;
    },
    setClock: (milliseconds: number) => void clock.follow(readingOf(clock.now() + milliseconds, state.steady)),
    setFault: (fault: string | null) => void Object.assign(state, { fault }),
    close: async () => {
      await owner.close();
      await database.drop();
    },
  };
}

const readingOf = (databaseMilliseconds: number, steady: number) => ({ before: steady, databaseMilliseconds, after: steady });

test("evidence is dropped when it is older than its days", async () => {
  await withExchange(async ({ run, exchanges, wait }) => {
    wait(400 * DAY);
    await run();
    expect(await exchanges()).toBe(1);
    wait(40 * DAY);
    await run();
    expect(await exchanges()).toBe(0);
  });
});

test("a clock that is far ahead for a while deletes nothing", async () => {
  await withExchange(async ({ run, exchanges, wait, setClock }) => {
    wait(2 * HOUR);
    setClock(440 * DAY);
    wait(HOUR - 1);
    await run();
    setClock(-440 * DAY);
    wait(2 * HOUR);
    await run();
    expect(await exchanges()).toBe(1);
  });
});

test("nothing is deleted in the first hour, or while the machine's clock differs from the database's", async () => {
  await withExchange(async ({ run, exchanges, wait, setClock, setFault }) => {
    setClock(440 * DAY);
    wait(HOUR - 1);
    await run();
    wait(1);
    setFault("this machine's clock is behind");
    await run();
    expect(await exchanges()).toBe(1);
    setFault(null);
    await run();
    expect(await exchanges()).toBe(0);
  });
});
