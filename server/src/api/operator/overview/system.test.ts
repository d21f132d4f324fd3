import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROTATION_LOCK } from "../../../domain/accounts/master-key/rotate-master-key.ts";
import { reportProcess } from "../../../domain/reporting/system/report-process.ts";
import { createJobStatuses } from "../../../platform/observability/job-statuses.ts";
import { readConfig } from "../../../settings/config.ts";
import { shownSettings } from "../../../settings/shown-settings.ts";
import { type TestApi, testApi } from "../testing/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  const { ctx, clock, database } = api.settings;
  const at = new Date(clock.now());
  await database.sql`
    insert into installation (installation_id, created_at, master_key_file, master_key_id)
    values ('I1', ${at}, 'x', ${ctx.vault.keyring().currentKeyId})`;
  await database.sql`
    insert into processes (process_id, host, pid, started_at, seen_at, oldest_open_at) values ('P1', 'box', 1, ${at}, ${at}, ${at})`;
});
afterAll(() => api.close());

const report = (fields: object = {}) => {
  const jobStatuses = createJobStatuses();
  jobStatuses.expect("sweep", 1_000);
  jobStatuses.ran("sweep", { tookMilliseconds: 3, error: null });
  return {
    jobStatuses,
    send: () =>
      reportProcess({
        ...api.settings.ctx,
        processId: "P1",
        version: "1.2.3",
        jobStatuses,
        openBreakers: () => [],
        isSetLive: false,
        ...fields,
      }),
  };
};

test("the system is shown as it is: processes, jobs, database, key", async () => {
  await report().send();
  const { body } = await api.get("/system");
  expect(body).toMatchObject({
    node: process.version,
    processes: [
      { process_id: "P1", this_one: true, alive: true, version: "1.2.3", ledger_violations: 0, open_breakers: [], failing_jobs: [] },
    ],
    jobs: [{ name: "sweep", every_seconds: 1, failures: 0, error: null }],
    master_key: { key_id: api.settings.ctx.vault.keyring().currentKeyId, age_days: 0, rotation: "none" },
  });
  expect(body.database).toMatchObject({
    version: expect.stringMatching(/^\d+/),
    missing_migrations: [],
    max_connections: expect.any(Number),
  });
  expect(body.database.size_bytes).toBeGreaterThan(1_000_000);
  expect(body.database.migrations.at(-1)).toMatchObject({ version: 1, name: "schema" });
  expect(body.parts.map((part: { state: string }) => part.state)).toEqual(body.parts.map(() => "good"));
});

test("a transaction that stays open is seen, and how long", async () => {
  const { sql } = api.settings.database;
  await sql.begin(async (tx) => {
    await tx`select 1`;
    await expect.poll(async () => (await api.get("/system")).body.database.oldest_transaction_seconds).toBeGreaterThanOrEqual(1);
  });
});

test("a failing job, a wrong key and a rotation are shown", async () => {
  const { jobStatuses, send } = report();
  jobStatuses.ran("sweep", { tookMilliseconds: 3, error: new Error("no room\0 at opk_abcdefghijkl") });
  jobStatuses.checkedLedger(2);
  await send();
  const { body } = await api.get("/system");
  expect(body.jobs).toMatchObject([{ failures: 1, error: "no room at opk_[redacted]" }]);
  const states = Object.fromEntries(body.parts.map((part: { name: string; state: string }) => [part.name, part.state]));
  expect(states).toMatchObject({ "Scheduled jobs": "attention", Ledger: "bad", "Master key": "good" });
  const connection = await api.settings.database.sql.reserve();
  await connection`select pg_advisory_lock(${ROTATION_LOCK})`;
  expect((await api.get("/system")).body.master_key).toMatchObject({ rotation: "running" });
  await connection`select pg_advisory_unlock(${ROTATION_LOCK})`;
  connection.release();
  expect((await api.get("/system")).body.master_key).toMatchObject({ rotation: "none" });
  await api.settings.database.sql`update installation set master_key_id = 'mk000000000000'`;
  await send();
  const after = (await api.get("/system")).body.parts.find((part: { name: string }) => part.name === "Master key");
  expect(after).toEqual({ name: "Master key", state: "bad", says: "box does not have the master key." });
});

test("a process that has ended takes its report with it", async () => {
  await report({ processId: "P9" }).send();
  await report().send();
  const rows = await api.settings.database.sql<{ process_id: string }[]>`select process_id from process_reports`;
  expect(rows.map((row) => row.process_id)).toEqual(["P1"]);
});

test("every variable that the service reads is shown", async () => {
  const files = ["config.ts", "production-rules.ts", "retention-settings.ts"];
  const sources = await Promise.all(files.map((file) => readFile(new URL(`../../../settings/${file}`, import.meta.url), "utf8")));
  const known = new Set(
    sources
      .join("\n")
      .match(/"CORPRAIL_[A-Z_]+[A-Z]"/g)
      ?.map((name) => JSON.parse(name) as string),
  );
  const read = readConfig({}, "/srv");
  const shown = read.ok ? shownSettings(read.config).map(({ name }) => name) : [];
  // What only lets the start go on has no meaning afterwards.
  expect([...known].filter((name) => !shown.includes(name))).toEqual(["CORPRAIL_ALLOW_INSECURE"]);
});

test("no secret of the configuration is shown, only that it is set", () => {
  const secret = "s3cret-Pa55word";
  const read = readConfig(
    {
      CORPRAIL_OPERATOR_KEY: `opk_${secret.padEnd(40, "x")}`,
      CORPRAIL_DATABASE_URL: `postgres://user:${secret}@db.example:5432/corprail?password=${secret}`,
      CORPRAIL_SMTP_URL: `smtps://user:${secret}@mail.example:465`,
      CORPRAIL_PROVIDER_FIRST_KEY: secret,
      CORPRAIL_TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.1",
    },
    "/srv",
  );
  if (!read.ok) throw new Error(read.message);
  const shown = shownSettings(read.config);
  expect(JSON.stringify(shown)).not.toContain(secret);
  const values = Object.fromEntries(shown.map(({ name, value }) => [name, value]));
  expect(values).toMatchObject({
    CORPRAIL_OPERATOR_KEY: "set",
    CORPRAIL_DATABASE_URL: "postgres://db.example:5432/corprail",
    CORPRAIL_SMTP_URL: "smtps://mail.example:465",
    CORPRAIL_PROVIDER_FIRST_KEY: "set",
    CORPRAIL_TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.1",
    CORPRAIL_CALLBACK_ALLOW: null,
  });
});
