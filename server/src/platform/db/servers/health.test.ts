import postgres from "postgres";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../testing/database.ts";
import { startTcpProxy } from "../../../testing/tcp-proxy.ts";
import { createLog } from "../../observability/log.ts";
import { type DatabaseHealth, type HealthOptions, watchHealth } from "./health.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.drop());

function watch(more: Partial<HealthOptions> = {}): DatabaseHealth {
  const health = watchHealth({ url: database.url, role: null, log: createLog("silent"), ...more });
  onTestFinished(health.close);
  return health;
}

/** Changes the database in a session of its owner, which the watchdog does not know and so does not cut. */
async function change(statement: string): Promise<void> {
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  await sql.unsafe(statement).finally(() => sql.end());
}

test("work that has waited for seconds while nothing was committed makes it not ready, though the database answers", () => {
  let stalledMilliseconds = 0;
  const health = watch({ stalledMilliseconds: () => stalledMilliseconds });
  expect(health.trouble()).toBeNull();
  stalledMilliseconds = 5_001;
  expect(health.trouble()).toBe("nothing is committed: waiting writes are blocked by locks");
  // Whoever is not locked out is still served.
  expect(health.isAway()).toBe(false);
});

test.each([1, 2])(
  "a database that becomes read-only is noticed, and that it takes writes again too; hosts in its address: %i",
  async (hosts) => {
    const url = new URL(database.url);
    const health = watch({ url: hosts === 1 ? database.url : database.url.replace(url.host, `${url.host},${url.host}`) });
    await change(`alter database ${new URL(database.url).pathname.slice(1)} set default_transaction_read_only = on`);
    await change(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`);
    await expect.poll(health.trouble).toBe("the database is read-only");
    expect(health.isAway()).toBe(true);
    const name = new URL(database.url).pathname.slice(1);
    await change(`begin; set transaction read write; alter database ${name} reset default_transaction_read_only; commit`);
    await expect.poll(health.trouble).toBeNull();
  },
);

test("a database that hangs is noticed without an answer from it", async () => {
  const url = new URL(database.url);
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  onTestFinished(proxy.close);
  url.port = String(proxy.port);
  const health = watch({ url: url.href });
  expect(health.trouble()).toBeNull();
  proxy.hang();
  await expect.poll(health.trouble).toBe("the database does not answer");
  proxy.open();
  await expect.poll(health.trouble).toBeNull();
});

test("health is confirmed by an answer that the database gives after the question", async () => {
  const url = new URL(database.url);
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  onTestFinished(proxy.close);
  url.port = String(proxy.port);
  const health = watch({ url: url.href });
  const checked = new Promise((resolve) => health.onReading(resolve));
  await checked;
  // Its answer comes after the check's commit.
  expect(await health.confirm()).toBeNull();
  proxy.hang();
  // The last check found nothing wrong.
  expect(health.trouble()).toBeNull();
  expect(await Promise.all([health.confirm(), health.confirm()])).toEqual(Array(2).fill("the database does not answer"));
  proxy.open();
  await expect.poll(health.confirm).toBeNull();
});

test("a database that lacks migrations is not ready", async () => {
  await change("delete from schema_migrations where version = (select max(version) from schema_migrations)");
  await expect.poll(watch().trouble).toBe("migrations are missing");
});

test("a database that answers but does not commit is noticed", async () => {
  // What a commit waits for in the log, a synchronous standby or the disk, is stood for by a function of the same name.
  await change(`
    create schema slow;
    create function slow.pg_logical_emit_message(boolean, text, text) returns text language sql as 'select pg_sleep(600)::text';
    alter database ${new URL(database.url).pathname.slice(1)} set search_path = slow, pg_catalog, public`);
  const health = watch();
  await expect.poll(health.trouble).toBe("the database does not commit");
});

test("each check brings a reading of the database's clock along", async () => {
  const skews: number[] = [];
  watch().onReading(({ skewMilliseconds }) => skews.push(skewMilliseconds));
  await expect.poll(() => skews.length).toBeGreaterThan(1);
  expect(new Set(skews)).toEqual(new Set([0]));
});
