import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { createServiceClock } from "../core/clock.ts";
import { createLog } from "../observability/log.ts";
import { type ClockReading, createClockWatch, MAX_SKEW_SECONDS, readClocks, startClock } from "./database-clock.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const HOUR = 3_600_000;

test("the machine's clock is compared with the database's, whatever offset is configured", async () => {
  expect((await readClocks(database.sql)).skewMilliseconds).toBe(0);
  const before = Date.now();
  const clock = await startClock(database.sql, -7200);
  expect(Math.abs(clock.now() + 2 * HOUR - before)).toBeLessThan(60_000);
});

test.each([-HOUR, HOUR])("a service does not start with a clock that is %d ms from the database's, and says what to do", async (skew) => {
  const real = Date.now;
  vi.spyOn(Date, "now").mockImplementation(() => real() + skew);
  await expect(startClock(database.sql, 0)).rejects.toThrow(/cannot start: this machine's clock is 3\d{3} seconds (ahead of|behind)/);
  vi.restoreAllMocks();
});

function watched() {
  let steady = 0;
  const reading: { -readonly [Name in keyof ClockReading]: ClockReading[Name] } = {
    ...{ before: 0, after: 0, databaseMilliseconds: 1_700_000_000_000, skewMilliseconds: 0 },
  };
  const clock = createServiceClock({ offsetSeconds: 0, reading, steady: () => steady });
  const redate = vi.fn(async () => {});
  const readNow = () => ({ ...reading, before: steady, after: steady });
  const read = vi.fn(async () => readNow());
  const beforeSetBack = vi.fn(async (_now: number) => {});
  const watch = createClockWatch({ sql: database.sql, clock, log: createLog("silent"), redate, beforeSetBack, read });
  const wait = (milliseconds: number) => {
    steady += milliseconds;
    reading.databaseMilliseconds += milliseconds;
  };
  const pass = async (milliseconds: number) => {
    wait(milliseconds);
    await watch.check();
  };
  return { reading, clock, watch, redate, beforeSetBack, read, readNow, wait, pass };
}

test("while the machine's clock is wrong, client requests are refused, and the service's time keeps running", async () => {
  const { reading, clock, watch, redate, pass } = watched();
  const before = clock.now();
  reading.skewMilliseconds = -3 * HOUR;
  await pass(1000);
  expect(watch.fault()).toMatch(/10800 seconds behind the database's/);
  expect(clock.now() - before).toBe(1000);
  reading.skewMilliseconds = MAX_SKEW_SECONDS * 1000;
  await pass(1000);
  expect([watch.fault(), redate.mock.calls.length]).toEqual([null, 0]);
});

test("when the database's clock is set, the service follows and redates due work until earlier operations have finished", async () => {
  const { reading, clock, watch, redate, pass } = watched();
  const before = clock.now();
  reading.databaseMilliseconds -= 3 * HOUR;
  await pass(1000);
  expect([clock.now() - before, watch.fault(), redate.mock.calls.length]).toEqual([1000 - 3 * HOUR, null, 1]);
  await pass(10_000);
  expect(redate).toHaveBeenCalledTimes(2);
  await pass(10_000);
  expect(redate).toHaveBeenCalledTimes(2);
});

test("the clock is set back only after the process has announced the new time", async () => {
  const { reading, clock, redate, beforeSetBack, pass } = watched();
  const before = clock.now();
  reading.databaseMilliseconds -= 3 * HOUR;
  beforeSetBack.mockRejectedValueOnce(new Error("The database is away."));
  await expect(pass(1000)).rejects.toThrow("away");
  expect(clock.now() - before).toBe(1000);
  beforeSetBack.mockImplementationOnce(async (now) => {
    expect([now - before, clock.now() - before]).toEqual([2000 - 3 * HOUR, 2000]);
  });
  await pass(1000);
  expect(clock.now() - before).toBe(2000 - 3 * HOUR);
  expect(redate.mock.calls).toEqual([[true]]);
  await pass(1000);
  expect(redate.mock.calls).toEqual([[true], [false]]);
});

test("a clock that is set forward is followed at once", async () => {
  const { reading, clock, redate, beforeSetBack, pass } = watched();
  const before = clock.now();
  reading.databaseMilliseconds += HOUR;
  await pass(1000);
  expect(clock.now() - before).toBe(1000 + HOUR);
  expect([beforeSetBack.mock.calls.length, redate.mock.calls]).toEqual([0, [[false]]]);
});

test("a reading that the health check brings along is followed at once, and saves the job its own while they come", async () => {
  const { reading, clock, watch, read, readNow, wait } = watched();
  const before = clock.now();
  wait(1000);
  reading.databaseMilliseconds += HOUR;
  watch.take(readNow());
  await watch.job.run();
  expect(clock.now() - before).toBe(1000 + HOUR);
  wait(1000);
  await watch.job.run();
  expect(read).not.toHaveBeenCalled();
  wait(1000);
  await watch.job.run();
  expect(read).toHaveBeenCalledTimes(1);
});

test("a reading that cannot be applied is read again by the job, which fails as long as that lasts", async () => {
  const { reading, watch, beforeSetBack, readNow, wait, clock } = watched();
  const before = clock.now();
  wait(1000);
  reading.databaseMilliseconds -= HOUR;
  beforeSetBack.mockRejectedValue(new Error("The database is away."));
  watch.take(readNow());
  await expect(watch.job.run()).rejects.toThrow("away");
  await expect(watch.job.run()).rejects.toThrow("away");
  beforeSetBack.mockResolvedValue();
  await watch.job.run();
  expect(clock.now() - before).toBe(1000 - HOUR);
});
