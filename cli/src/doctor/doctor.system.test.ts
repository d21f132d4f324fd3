import { chmodSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../../server/src/platform/db/connection.ts";
import { emptyDatabase } from "../../../server/src/testing/database.ts";
import { openFundedAccount } from "../../testing/accounts.ts";
import { testInstallation } from "../../testing/installation.ts";
import { corprail, OPERATOR_KEY, serving, temporaryFolder, type Variables } from "../../testing/processes.ts";
import { checkNode } from "./check-machine.ts";
import type { Finding } from "./finding.ts";

const MINUTES = 60_000;
// So that no test depends on a port of the machine's.
const NO_PORT = { CORPRAIL_PORT: "0" };

async function doctor(
  variables: Variables,
): Promise<{ readonly code: number | null; readonly about: (name: string) => readonly Finding[] }> {
  const { code, stdout } = await corprail(["doctor", "--json"], { ...NO_PORT, ...variables });
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  return { code, about: (name) => findings.filter((finding) => finding.about === name) };
}

/** As somebody who has the database in his hands. */
async function tamper(url: string, statement: string): Promise<void> {
  const { sql, close } = connect({ url, connections: 1, role: null });
  await sql.unsafe(statement).finally(close);
}

test("a running service in good order has no failure", { timeout: 2 * MINUTES }, async () => {
  const folder = temporaryFolder();
  const service = await serving({ CORPRAIL_DATA_DIR: folder });
  await openFundedAccount(service, "100.00");
  const { code, stdout } = await corprail(["doctor"], { CORPRAIL_DATA_DIR: folder, CORPRAIL_PORT: new URL(service.base).port });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ok +service +ready on http/m);
  expect(stdout).toMatch(/^ok +sealed secrets +the newest 3 can be opened$/m);
  expect(stdout).toMatch(/^ok +ledger +2 accounts picked at random are consistent$/m);
  expect(stdout).toMatch(/^ok +disk use +[0-9]+ MiB in all; largest: [a-z_]+ [0-9]+ MiB, /m);
  expect(stdout).not.toMatch(/^fail/m);
  expect(await service.stop()).toBe(0);
});

test("a folder without a database fails, with what to do", async () => {
  const { code, about } = await doctor({ CORPRAIL_DATA_DIR: join(temporaryFolder(), "elsewhere") });
  expect(code).toBe(1);
  expect(about("data folder")).toMatchObject([{ level: "fail", advice: expect.stringContaining("CORPRAIL_DATA_DIR") }]);
  expect(about("database")).toMatchObject([{ level: "fail", found: expect.stringContaining("There is no database") }]);
});

test("missing migrations fail, and a database that does not answer too", async () => {
  const empty = await emptyDatabase();
  onTestFinished(() => empty.drop());
  const lacking = await doctor({ CORPRAIL_DATABASE_URL: empty.url, CORPRAIL_DATA_DIR: temporaryFolder() });
  expect(lacking.code).toBe(1);
  expect(lacking.about("migrations")).toMatchObject([{ level: "fail", advice: "Run: corprail migrate" }]);
  const silent = await doctor({ CORPRAIL_DATABASE_URL: "postgres://someone@127.0.0.1:1/nothing", CORPRAIL_DATA_DIR: temporaryFolder() });
  expect(silent.about("database")).toMatchObject([{ level: "fail" }]);
});

test("the database of every cell is examined, and a cell without an address fails", async () => {
  const { database, variables } = await testInstallation();
  const empty = await emptyDatabase();
  onTestFinished(() => empty.drop());
  await database.sql`insert into cells (cell, added_at) values (1, now()), (2, now()), (3, now())`;
  const CORPRAIL_CELLS = `1=${empty.url} 2=postgres://someone@127.0.0.1:1/nothing`;
  const { code, about } = await doctor({ ...variables, CORPRAIL_CELLS });
  expect(code).toBe(1);
  expect(about("cell 1 database")).toMatchObject([{ level: "ok" }]);
  expect(about("cell 1 migrations")).toMatchObject([{ level: "fail", advice: "Run: corprail migrate" }]);
  expect(about("cell 2")).toMatchObject([{ level: "fail", advice: expect.stringContaining("503") }]);
  expect(about("cell 3")).toMatchObject([{ level: "fail", found: "CORPRAIL_CELLS does not name it" }]);
});

test("a key file that others can read fails, and so does one that is gone", async () => {
  const { keyFile, variables } = await testInstallation();
  chmodSync(keyFile, 0o644);
  const open = await doctor(variables);
  expect(open.code).toBe(1);
  expect(open.about("master key")).toMatchObject([{ level: "fail", advice: expect.stringContaining(`chmod 600 ${keyFile}`) }]);
  rmSync(keyFile);
  const gone = await doctor(variables);
  expect(gone.about("master key")).toMatchObject([{ level: "fail", found: expect.stringContaining("sealed with the master key") }]);
});

test("a secret that does not open fails", async () => {
  const { database, variables } = await testInstallation();
  await corprail(["account", "create", "Acme"], variables);
  await tamper(database.url, "update credentials set sealed = '\\x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'");
  expect(await doctor(variables).then(({ about }) => about("sealed secrets"))).toMatchObject([{ level: "fail" }]);
});

test("a ledger that is not consistent fails", async () => {
  const { database, variables } = await testInstallation();
  await database.sql`insert into wallets (account_id, available, funding, seq) values ('A1', 5, -5, 1)`;
  const { code, about } = await doctor(variables);
  expect(code).toBe(1);
  expect(about("ledger")).toMatchObject([{ level: "fail", advice: "Run: corprail ledger verify" }]);
});

test("orders that need a person, overdue ones and receivers that do not answer are warned of, and the exit code stays 0", async () => {
  const { database, variables } = await testInstallation();
  await corprail(["account", "create", "Acme"], variables);
  await database.sql`
    insert into pending_polls (account_id, order_id, why, since, due_at, needs_human)
    values ('A1', 'O1', 'unknown', now(), now(), true), ('A1', 'O2', 'unknown', now(), now() - interval '1 hour', false)`;
  await database.sql`
    insert into callbacks (account_id, callback_id, kind, order_id, urid, status, next_at, created_at)
    select account_id, 'C1', 'status', 'O3', 'U3', 'SUCCESS', now() - interval '1 hour', now() from accounts`;
  const parked = await doctor(variables);
  expect(parked.code).toBe(0);
  expect(parked.about("orders in doubt")).toMatchObject([{ level: "warn", found: expect.stringContaining("O1") }]);
  expect(parked.about("pending orders")).toMatchObject([{ level: "warn", found: expect.stringContaining("1 should") }]);
  expect(parked.about("parked callbacks")).toMatchObject([{ level: "warn", found: expect.stringContaining("1 receivers without a URL") }]);
  await database.sql`update accounts set callback_url = 'https://shop.example/cb'`;
  await database.sql`insert into callback_targets (account_id, kind, settings_version, probe_at) select account_id, 'status', 0, now() from accounts`;
  const broken = await doctor(variables);
  expect(broken.about("callbacks")).toMatchObject([{ level: "warn", found: expect.stringContaining("overdue") }]);
  expect(broken.about("receivers")).toMatchObject([{ level: "warn", found: expect.stringContaining("1 do not answer") }]);
});

test("the mode is said, and in live what has no provider, which routes cannot work and what the demo account holds", async () => {
  const { database, variables } = await testInstallation();
  const trial = await doctor(variables);
  expect(trial.about("mode")).toMatchObject([{ level: "warn", found: "trial: no real money moves" }]);
  expect(trial.about("served")).toMatchObject([{ level: "ok" }]);
  const { sql } = database;
  await sql`insert into providers (provider, connector, settings, created_at) values ('partner', 'corprail', '{"base_url":"https://p.example","services":["recharge"]}', now())`;
  await sql`insert into provider_routes (service, operator, provider) values ('recharge', 'AT', 'partner'), ('bills', '*', 'partner')`;
  const live = await doctor({ ...variables, CORPRAIL_MODE: "trial" });
  expect(live.code).toBe(0);
  expect(live.about("mode")).toMatchObject([{ level: "warn", found: expect.stringMatching(/^live\. CORPRAIL_MODE is trial, but/) }]);
  expect(live.about("routes")).toMatchObject([{ level: "warn", found: expect.stringContaining("bills * to partner") }]);
  expect(live.about("served")[0]?.found).toMatch(/operators .*AT.*TP.* and the services bills, transfers, bus, aeps/);
});

test("a description that would be refused today is named with its places, and stops neither the service nor its orders", async () => {
  const { database, variables } = await testInstallation();
  const call = { request: { url: "/pay", query: { r: "{reference}" } }, outcome: [{ when: { status: "OK" }, means: "success" }] };
  const description = {
    version: 2,
    name: "earlier",
    base_url: "https://earlier.example",
    codes: { circles: { values: { XX: "5" } }, operators: { values: { NOBODY: "1" } } },
    operations: { "recharge.pay": { ...call, status: call } },
  };
  await database.sql`
    insert into providers (provider, connector, settings, created_at) values ('earlier', 'description', ${database.sql.json(description)}, now())`;
  const { code, about } = await doctor(variables);
  expect(code).toBe(0);
  const [found, ...others] = about("providers");
  expect(others).toEqual([]);
  expect(found).toMatchObject({ level: "warn", found: expect.stringMatching(/^earlier has a description that would be refused today/) });
  for (const place of ["codes.circles.values.XX", "codes.operators.values.NOBODY"]) expect(found?.found).toContain(place);
  const service = await serving(variables);
  const reply = await fetch(`${service.base}/api/operator/v1/providers/earlier`, { headers: { authorization: `Bearer ${OPERATOR_KEY}` } });
  expect(await reply.json()).toMatchObject({ provider: "earlier", fault: null });
  expect(await service.stop()).toBe(0);
});

test("a description that cannot be read at all is named as incomplete, and the service starts without that provider", async () => {
  const { database, variables } = await testInstallation();
  await database.sql`
    insert into providers (provider, connector, settings, created_at)
    values ('broken', 'description', ${database.sql.json({ name: "broken", request: 5 })}, now())`;
  expect((await doctor(variables)).about("providers")).toMatchObject([
    { level: "warn", found: expect.stringMatching(/^broken is incomplete and gets no orders/) },
  ]);
  const service = await serving(variables);
  expect((await fetch(`${service.base}/readyz`)).status).toBe(200);
  expect(await service.stop()).toBe(0);
});

test("a port that another program has fails", async () => {
  const { variables } = await testInstallation();
  const other = createServer((socket) => socket.destroy());
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
  onTestFinished(() => new Promise<void>((done) => void other.close(() => done())));
  const { code, about } = await doctor({ ...variables, CORPRAIL_PORT: String((other.address() as AddressInfo).port) });
  expect(code).toBe(1);
  expect(about("port")).toMatchObject([{ level: "fail", found: expect.stringContaining("EADDRINUSE") }]);
});

test("Node before 20.19 fails", () => {
  expect(["20.18.9", "18.20.0", "20.19.0", "22.1.0"].map((version) => checkNode(version).level)).toEqual(["fail", "fail", "ok", "ok"]);
});

test("it only reads", async () => {
  const { database, variables } = await testInstallation();
  const url = new URL(database.url);
  url.searchParams.set("default_transaction_read_only", "on");
  expect(await doctor({ ...variables, CORPRAIL_DATABASE_URL: url.href })).toMatchObject({ code: 0 });
});
