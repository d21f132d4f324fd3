import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { EmbeddedDatabaseError } from "./failures.ts";
import { startEmbedded } from "./start-embedded.ts";
import { serversIn } from "./stop-servers.ts";
import { clusterIn, quietLog, readNotes, startedIn, temporaryFolder, withSql, writeNote } from "./testing/helpers.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const start = (dataFolder: string) => startEmbedded({ dataFolder, log: quietLog });

test("a first start creates a UTF-8 cluster with checksums, and its database answers", async () => {
  const { url } = await startedIn(temporaryFolder());
  const [row] = await withSql(
    url,
    (sql) => sql`
      select current_database() as database, current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
             pg_encoding_to_char(encoding) as encoding, datlocale as locale
      from pg_database where datname = current_database()`,
  );
  expect(row).toEqual({ database: "corprail", checksums: "on", fsync: "on", encoding: "UTF8", locale: "C.UTF-8" });
});

test("data survives a stop and a start, in a folder with spaces in its name", async () => {
  const folder = join(temporaryFolder("corprail embedded "), "the data folder");
  const first = await startedIn(folder);
  await writeNote(first.url, "supervised");
  await first.stop();
  const second = await startedIn(folder);
  expect(await readNotes(second.url)).toEqual(["supervised"]);
});

test("only the owner can read the address file, which exists only while the database runs", async () => {
  const folder = join(temporaryFolder(), "data");
  const database = await startedIn(folder);
  expect(readFileSync(join(folder, "database-url"), "utf8")).toBe(`${database.url}\n`);
  for (const name of ["database-url", "database-password", "holder.json"])
    expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
  for (const path of [folder, clusterIn(folder)]) expect(statSync(path).mode & 0o777, path).toBe(0o700);
  await database.stop();
  for (const name of ["database-url", "holder.json"]) expect(existsSync(join(folder, name)), name).toBe(false);
  expect(serversIn(clusterIn(folder))).toEqual([]);
});

test("an existing folder keeps its mode, and a second stop has no effect", async () => {
  const folder = join(temporaryFolder(), "data");
  mkdirSync(folder, { mode: 0o755 });
  const database = await startedIn(folder);
  await Promise.all([database.stop(), database.stop()]);
  expect(statSync(folder).mode & 0o777).toBe(0o755);
});

test("a wrong password is refused", async () => {
  const { url } = await startedIn(temporaryFolder());
  const wrong = url.replace(/:[^:@]+@/, ":wrong@");
  await expect(withSql(wrong, (sql) => sql`select 1`)).rejects.toMatchObject({ code: "28P01" });
});

test("the files of an interrupted initdb are removed", async () => {
  const folder = temporaryFolder();
  const leftover = join(folder, "postgres.making-AbCdEf");
  mkdirSync(leftover);
  writeFileSync(join(leftover, "PG_VERSION"), "18\n");
  const { url } = await startedIn(folder);
  expect(existsSync(leftover)).toBe(false);
  expect(await withSql(url, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
});

test("a cluster of another major version is refused with a clear message", async () => {
  const folder = temporaryFolder();
  mkdirSync(clusterIn(folder));
  writeFileSync(join(clusterIn(folder), "PG_VERSION"), "17\n");
  await expect(start(folder)).rejects.toThrow(/was created by PostgreSQL 17, and this is PostgreSQL 18/);
  expect(existsSync(join(folder, "holder.json"))).toBe(false);
});

test("files that are not a cluster are not touched", async () => {
  const folder = temporaryFolder();
  mkdirSync(clusterIn(folder));
  writeFileSync(join(clusterIn(folder), "thesis.txt"), "mine");
  await expect(start(folder)).rejects.toThrow(/contains files but no PostgreSQL cluster/);
  expect(readFileSync(join(clusterIn(folder), "thesis.txt"), "utf8")).toBe("mine");
});

test("the error names a lost password file instead of a failed login", async () => {
  const folder = temporaryFolder();
  await (await startedIn(folder)).stop();
  writeFileSync(join(folder, "database-password"), "");
  await expect(start(folder)).rejects.toThrow(/database-password is missing or damaged/);
});

test("an impossible data folder is refused with a one-line message", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  const refusal = await start(join(file, "data")).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(EmbeddedDatabaseError);
  expect(String(refusal)).toMatch(/^EmbeddedDatabaseError: The data folder .* cannot be used: .*CORPRAIL_DATA_DIR.*$/);
});

test("a setting unknown to PostgreSQL stops the start with PostgreSQL's message", async () => {
  const folder = temporaryFolder();
  const options = { dataFolder: folder, log: quietLog, settings: { no_such_setting: "1" } };
  await expect(startEmbedded(options)).rejects.toThrow(/did not start.*no_such_setting/);
  expect(serversIn(clusterIn(folder))).toEqual([]);
});
