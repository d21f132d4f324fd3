import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../server/src/platform/db/connection.ts";
import { isMigrated } from "../../server/src/platform/db/schema/migrate.ts";
import { emptyDatabase } from "../../server/src/testing/database.ts";
import { corprail, serving, temporaryFolder } from "../testing/processes.ts";

const MINUTES = 60_000;

async function migrated(url: string): Promise<boolean> {
  const { sql, close } = connect({ url, connections: 1, role: null });
  return await isMigrated(sql).finally(close);
}

test("migrating an empty database brings everything, and migrating again brings nothing", async () => {
  const database = await emptyDatabase();
  onTestFinished(() => database.drop());
  const variables = { CORPRAIL_DATABASE_URL: database.url, CORPRAIL_DATA_DIR: temporaryFolder() };
  const first = await corprail(["migrate", "--json"], variables);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(first.stdout)).toMatchObject({ ok: true, applied: expect.arrayContaining(["schema"]) });
  expect(await migrated(database.url)).toBe(true);
  const second = await corprail(["migrate", "--json"], variables);
  expect(second.code).toBe(0);
  expect(JSON.parse(second.stdout)).toMatchObject({ ok: true, applied: [] });
  expect(await corprail(["migrate"], variables)).toEqual({ code: 0, stdout: "The database is up to date.\n", stderr: "" });
});

test("without a service the embedded database is made and migrated, and a service then finds it so", { timeout: 2 * MINUTES }, async () => {
  const variables = { CORPRAIL_DATA_DIR: temporaryFolder() };
  expect(await corprail(["migrate"], variables)).toMatchObject({ code: 0, stdout: expect.stringContaining("schema") });
  const service = await serving(variables);
  expect(await corprail(["migrate"], variables)).toMatchObject({
    code: 0,
    stdout: "The database is up to date.\n",
    stderr: expect.stringContaining("The service is running"),
  });
  expect(await service.stop()).toBe(0);
});

test("a database that does not answer fails in one line, without its password", async () => {
  const variables = { CORPRAIL_DATABASE_URL: "postgres://someone:hidden-word@127.0.0.1:1/nothing" };
  const { code, stdout, stderr } = await corprail(["migrate"], variables);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^The database at 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)\. Check .*\n$/);
  expect(stderr).not.toContain("hidden-word");
});
