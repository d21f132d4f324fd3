import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Sql } from "../server/src/platform/db/connection.ts";
import { migratedDatabase, type OwnDatabase } from "../server/src/testing/database.ts";
import { until } from "./harness/deadline.ts";
import { operator } from "./harness/operator.ts";
import { launch, startService, temporaryFolder } from "./harness/service.ts";

const run = promisify(execFile);

let database: OwnDatabase;
let folder: string;
beforeAll(async () => {
  database = await migratedDatabase();
  folder = await temporaryFolder();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const environment = () => ({ CORPRAIL_DATABASE_URL: database.url, CORPRAIL_DATA_DIR: folder });

/** Kills a first start when its operator key exists. It cannot go on from there, because the next table is locked. */
async function startAndKill(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`lock table invitations in exclusive mode`;
    const first = launch({ ...environment(), CORPRAIL_PORT: "0" });
    await until("the first start has made the operator key", async () => (await tx`select from operator_keys`).length > 0);
    first.signal("SIGKILL");
    await first.exited;
  });
}

test("after kill -9 in the middle of the first start, the next one shows credentials that work", async () => {
  const owner = connect({ url: database.url, connections: 1, role: null });
  try {
    await startAndKill(owner.sql);
  } finally {
    await owner.close();
  }
  const file = join(folder, "first-run.txt");
  expect(existsSync(file)).toBe(false);
  const service = await startService(environment());
  try {
    const text = await readFile(file, "utf8");
    const { stdout } = await run("/bin/sh", ["-c", /^curl .*$/m.exec(text)?.[0] ?? ""]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "SUCCESS", code: 0 });
    const reply = await operator({ ...service, operatorKey: /opk_\S{43}/.exec(text)?.[0] ?? "" }, "GET", "/accounts");
    expect(reply).toMatchObject({ status: 200, body: { items: [{ name: "Demo", allowlist: ["127.0.0.1", "::1"] }] } });
  } finally {
    expect((await service.stop()).code).toBe(0);
  }
});
