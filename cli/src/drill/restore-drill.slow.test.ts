import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../../server/src/platform/db/connection.ts";
import { openFundedAccount, recharge } from "../../testing/accounts.ts";
import { POSTGRES_BIN, startArchivingCluster } from "../../testing/archiving-cluster.ts";
import { corprail, serving } from "../../testing/processes.ts";

const MINUTES = 60_000;

test.skipIf(POSTGRES_BIN === undefined)(
  "a base backup and archived WAL are restored to a second, and the drill proves it",
  { timeout: 6 * MINUTES },
  async () => {
    const cluster = await startArchivingCluster();
    const data = mkdtempSync(join(tmpdir(), "corprail-cli-"));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const variables = { CORPRAIL_DATA_DIR: data, CORPRAIL_DATABASE_URL: cluster.url };
    const service = await serving(variables);
    const account = await openFundedAccount(service, "10000.00");
    const order = async () =>
      expect((await recharge(service, account, { operator: "AT", account: "9876543000", amount: "10" })).status).toBe("SUCCESS");
    const { sql, close } = connect({ url: cluster.url, connections: 1, role: null });
    onTestFinished(close);
    await order();
    const base = join(cluster.folder, "base");
    const port = String(cluster.port);
    cluster.tool("pg_basebackup", "-h", "127.0.0.1", "-p", port, "-U", "corprail", "-D", base, "-X", "none", "--checkpoint=fast");
    await order();
    await order();
    const [{ at } = { at: new Date() }] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
    await order();
    const before = readdirSync(cluster.wal).length;
    await sql`select pg_switch_wal()`;
    await expect.poll(() => readdirSync(cluster.wal).length).toBeGreaterThan(before);

    const drill = (...more: readonly string[]) =>
      corprail(["restore-drill", "--base", base, "--wal", cluster.wal, "--postgres-bin", POSTGRES_BIN ?? "", "--json", ...more], variables);
    const proved = await drill("--to", at.toISOString());
    expect(proved.code, proved.stderr + proved.stdout).toBe(0);
    expect(JSON.parse(proved.stdout)).toMatchObject({ ok: true, orders: 3, restored_to: at.toISOString() });
    const [{ orders } = { orders: 0 }] = await sql<{ orders: number }[]>`select count(*)::int as orders from orders`;
    expect(orders).toBe(4);

    // A history that is not the backup's is found: here the running one was changed afterwards.
    await sql`update transfers set narration = 'changed' where seq = (select min(seq) from transfers) and account_id = ${account.accountId}`;
    const found = await drill("--to", at.toISOString());
    expect([found.code, JSON.parse(found.stdout)]).toMatchObject([1, { ok: false, different_accounts: [account.accountId] }]);
    // WAL that is missing ends the drill with PostgreSQL's own words.
    const gone = await drill("--to", new Date(Date.now() + 3_600_000).toISOString());
    expect([gone.code, gone.stdout]).toEqual([1, expect.stringContaining("recovery ended before configured recovery target was reached")]);
  },
);

test.skipIf(POSTGRES_BIN === undefined)(
  "with cells, every cell whose backup is given is restored and compared, also accounts that have moved since",
  { timeout: 6 * MINUTES },
  async () => {
    const cluster = await startArchivingCluster();
    const port = String(cluster.port);
    // Two databases of one server, which one base backup has both.
    cluster.tool("createdb", "-h", "127.0.0.1", "-p", port, "-U", "corprail", "cell1");
    const cellUrl = cluster.url.replace(/corprail$/, "cell1");
    const data = mkdtempSync(join(tmpdir(), "corprail-cli-"));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const variables = { CORPRAIL_DATA_DIR: data, CORPRAIL_DATABASE_URL: cluster.url, CORPRAIL_CELLS: `1=${cellUrl}` };
    const service = await serving(variables);
    // The demo account is at home, so the first one goes to cell 1.
    const [inCell, atHome] = [await openFundedAccount(service, "100.00"), await openFundedAccount(service, "100.00")];
    for (const account of [inCell, atHome])
      expect((await recharge(service, account, { operator: "AT", account: "9876543000", amount: "10" })).status).toBe("SUCCESS");
    const base = join(cluster.folder, "base");
    cluster.tool("pg_basebackup", "-h", "127.0.0.1", "-p", port, "-U", "corprail", "-D", base, "-X", "none", "--checkpoint=fast");
    const { sql, close } = connect({ url: cluster.url, connections: 1, role: null });
    onTestFinished(close);
    const [{ at } = { at: new Date() }] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
    const moved = await corprail(["cell", "move-account", atHome.accountId, "1", "--json"], variables);
    expect(moved.code, moved.stdout + moved.stderr).toBe(0);
    const before = readdirSync(cluster.wal).length;
    await sql`select pg_switch_wal()`;
    await expect.poll(() => readdirSync(cluster.wal).length).toBeGreaterThan(before);

    const words = [
      "restore-drill",
      "--base",
      base,
      "--wal",
      cluster.wal,
      "--postgres-bin",
      POSTGRES_BIN ?? "",
      "--to",
      at.toISOString(),
      "--json",
    ];
    const homeOnly = await corprail(words, variables);
    expect([homeOnly.code, JSON.parse(homeOnly.stdout)]).toMatchObject([0, { cells: [], unchecked_cells: [1], moved_accounts: 0 }]);
    const all = await corprail([...words, "--cell-base", `1=${base}`, "--cell-wal", `1=${cluster.wal}`], variables);
    expect([all.code, JSON.parse(all.stdout)]).toMatchObject([0, { orders: 1, cells: [{ cell: 1, orders: 1 }], unchecked_cells: [] }]);
  },
);
