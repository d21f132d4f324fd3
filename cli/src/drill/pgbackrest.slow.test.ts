import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect, type Sql } from "../../../server/src/platform/db/connection.ts";
import { openFundedAccount, recharge } from "../../testing/accounts.ts";
import { type ArchivingCluster, POSTGRES_BIN, startArchivingCluster } from "../../testing/archiving-cluster.ts";
import { corprail, serving } from "../../testing/processes.ts";

const hasPgBackRest = POSTGRES_BIN !== undefined && spawnSync("pgbackrest", ["version"]).status === 0;
const MINUTES = 60_000;

/** Writes the settings of pgBackRest, as the guide shows them, and returns the words that every command needs. */
function configure({ folder, data, port, tool }: ArchivingCluster): readonly string[] {
  const file = join(folder, "pgbackrest.conf");
  const folders = ["repo1", "log", "lock", "spool"];
  for (const name of folders) tool("mkdir", join(folder, name));
  const paths = folders.map((name) => `${name}-path=${join(folder, name)}`);
  const ofServer = [`pg1-path=${data}`, `pg1-port=${port}`, `pg1-socket-path=${folder}`, "pg1-user=corprail"];
  writeFileSync(file, ["[global]", ...paths, "repo1-retention-full=2", "start-fast=y", "[corprail]", ...ofServer, ""].join("\n"));
  const words = [`--config=${file}`, "--stanza=corprail"];
  tool("pgbackrest", ...words, "stanza-create");
  tool("pgbackrest", ...words, "check");
  return words;
}

async function secondsNow(sql: Sql): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`select floor(extract(epoch from clock_timestamp()))::int as seconds`;
  return row?.seconds ?? 0;
}

/** In whole seconds since 1970, as pgBackRest keeps it. */
function endOfBackup({ tool }: ArchivingCluster, words: readonly string[]): number {
  const [stanza] = JSON.parse(tool("pgbackrest", ...words, "info", "--output=json")) as { backup: { timestamp: { stop: number } }[] }[];
  return stanza?.backup[0]?.timestamp.stop ?? Number.POSITIVE_INFINITY;
}

test.runIf(hasPgBackRest)(
  "a backup of pgBackRest is restored to a second between two orders, and the drill proves it",
  { timeout: 6 * MINUTES },
  async () => {
    const cluster = await startArchivingCluster(
      (folder) => `pgbackrest --config=${join(folder, "pgbackrest.conf")} --stanza=corprail archive-push %p`,
    );
    const words = configure(cluster);
    const data = mkdtempSync(join(tmpdir(), "corprail-cli-"));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const variables = { CORPRAIL_DATA_DIR: data, CORPRAIL_DATABASE_URL: cluster.url };
    const service = await serving(variables);
    const account = await openFundedAccount(service, "1000.00");
    const order = async () =>
      expect((await recharge(service, account, { operator: "AT", account: "9876543000", amount: "10" })).status).toBe("SUCCESS");
    const { sql, close } = connect({ url: cluster.url, connections: 1, role: null });
    onTestFinished(close);
    await order();
    cluster.tool("pgbackrest", ...words, "backup", "--type=full");
    await order();
    // pgBackRest restores to a time in a later second than the end of the backup only.
    await expect.poll(async () => (await secondsNow(sql)) > endOfBackup(cluster, words)).toBe(true);
    const [{ at } = { at: new Date() }] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
    await order();
    // Returns when the newest WAL is in the archive.
    cluster.tool("pgbackrest", ...words, "check");

    const restored = join(cluster.folder, "restored");
    const target = at.toISOString().replace("T", " ").replace("Z", "+00");
    cluster.tool("mkdir", "-m", "700", restored);
    cluster.tool("pgbackrest", ...words, `--pg1-path=${restored}`, "restore", "--type=time", `--target=${target}`);
    const scratch = join(cluster.folder, "scratch");
    mkdirSync(scratch);
    const command = `pgbackrest ${words.join(" ")} --pg1-path="$PWD" archive-get %f "%p"`;
    const drill = await corprail(
      [
        "restore-drill",
        "--base",
        restored,
        "--restore-command",
        command,
        "--postgres-bin",
        POSTGRES_BIN ?? "",
        "--scratch",
        scratch,
        "--json",
      ],
      variables,
    );
    expect(drill.code, drill.stderr + drill.stdout).toBe(0);
    // The demo account has none, and the third order came after the moment.
    expect(JSON.parse(drill.stdout)).toMatchObject({ ok: true, orders: 2 });
  },
);
