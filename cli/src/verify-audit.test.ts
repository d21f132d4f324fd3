import { afterEach, beforeEach, expect, test } from "vitest";
import { appendAudit } from "../../server/src/domain/audit/append.ts";
import { connect } from "../../server/src/platform/db/connection.ts";
import { type TestDatabase, testDatabase } from "../../server/src/testing/database.ts";
import { corprail } from "../testing/processes.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
  for (const id of ["A1", "A2", "A3"]) {
    const entry = { actor: "test", action: "account.created", subject: { kind: "account", id }, details: { name: id } } as const;
    await database.sql.begin((tx) => appendAudit(tx, new Date(1_700_000_000_000), entry));
  }
});
afterEach(() => database.drop());

const verify = (...given: readonly string[]) => corprail(["audit", "verify", ...given], { CORPRAIL_DATABASE_URL: database.url });

/** As somebody who has the database in his hands. */
async function tamper(statement: string): Promise<void> {
  const { sql, close } = connect({ url: database.url, connections: 1, role: null });
  await sql.unsafe(statement);
  await close();
}

test("an unchanged log is intact, and its entries are counted", async () => {
  expect(await verify()).toEqual({ code: 0, stdout: "The audit log is intact: 3 entries.\n", stderr: "" });
  expect(JSON.parse((await verify("--json")).stdout)).toEqual({ ok: true, entries: 3 });
});

test("a changed entry is found and named", async () => {
  await tamper(`update audit_log set details = '{"name":"Z9"}' where seq = 2`);
  const { code, stdout, stderr } = await verify();
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: "",
    stderr: "The audit log is broken at entry 2: the entry was changed.\n",
  });
  const machine = await verify("--json");
  expect(machine.code).toBe(1);
  expect(JSON.parse(machine.stdout)).toMatchObject({ ok: false, seq: 2, why: "the entry was changed" });
});

test("an entry taken out, in the middle or at the end, is missed", async () => {
  await tamper("delete from audit_log where seq = 3");
  expect(await verify()).toMatchObject({ code: 1, stderr: expect.stringContaining("entry 3") });
  await tamper("delete from audit_log where seq = 1");
  expect(await verify()).toMatchObject({ code: 1, stderr: expect.stringContaining("entry 1") });
});
