import { once } from "node:events";
import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { type AddressInfo, createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTcpProxy } from "../../../testing/tcp-proxy.ts";
import { connect, type Sql } from "../connection.ts";
import { codeOf } from "../database-errors.ts";
import { type EmbeddedDatabase, startEmbedded } from "../embedded/start-embedded.ts";
import { quietLog } from "../embedded/testing/helpers.ts";
import { OUTDATED_SERVER } from "./timelines.ts";

// Two servers with the same history, of which the second was promoted.
const ports = { first: 0, second: 0 };
let url = "";
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});
beforeAll(async () => {
  const [folder, copy] = [newFolder(), newFolder()];
  await (await start(folder)).stop();
  cpSync(folder, copy, { recursive: true });
  writeFileSync(join(copy, "postgres", "recovery.signal"), "");
  const first = await start(folder);
  const second = await start(copy, { restore_command: "false" });
  closers.unshift(first.stop, second.stop);
  url = first.url;
  ports.first = Number(new URL(first.url).port);
  ports.second = Number(new URL(second.url).port);
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "corprail-timelines-"));
  closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function start(dataFolder: string, settings = {}): Promise<EmbeddedDatabase> {
  return startEmbedded({ dataFolder, log: quietLog, settings: { shared_buffers: "16MB", ...settings } });
}

/** A balancer that leads to one of the servers. */
async function startBalancer() {
  const target = { host: "127.0.0.1", port: ports.first };
  const proxy = await startTcpProxy(target);
  onTestFinished(proxy.close);
  const leadTo = (server: keyof typeof ports) => {
    target.port = ports[server];
  };
  return { proxy, leadTo };
}

const urlOf = (...hostPorts: number[]) => url.replace(/@[^/]*/, `@${hostPorts.map((port) => `127.0.0.1:${port}`).join(",")}`);

function pool(url: string, connections: number): Sql {
  const opened = connect({ url, connections, role: null });
  onTestFinished(opened.close);
  return opened.sql;
}

const serverOf = async (sql: Sql) => Number((await sql`select current_setting('port') as port`)[0]?.["port"]);
const codeOfFailure = (statement: PromiseLike<unknown>) => Promise.resolve(statement).then(() => null, codeOf);

// A connection closed at this moment may still fail one statement.
async function answered(sql: Sql): Promise<number> {
  for (;;) if ((await codeOfFailure(sql`select 1`)) === null) return await serverOf(sql);
}

test("a server that was replaced is refused when the balancer leads back to it", async () => {
  const { proxy, leadTo } = await startBalancer();
  const sql = pool(urlOf(proxy.port), 2);
  expect(await serverOf(sql)).toBe(ports.first);
  for (let round = 0; round < 2; round++) {
    proxy.refuse();
    leadTo("second");
    proxy.open();
    expect(await answered(sql)).toBe(ports.second);
    proxy.refuse();
    leadTo("first");
    proxy.open();
    await expect.poll(() => codeOfFailure(sql`select 1`)).toBe(OUTDATED_SERVER);
    expect(await codeOfFailure(sql.begin((tx) => tx`select 1`))).toBe(OUTDATED_SERVER);
  }
});

test("connections to the replaced server are closed when the first one to its successor opens", async () => {
  const { proxy, leadTo } = await startBalancer();
  const sql = pool(urlOf(proxy.port), 2);
  const [one, other] = [await sql.reserve(), await sql.reserve()];
  leadTo("second");
  await codeOfFailure(one`select pg_terminate_backend(pg_backend_pid())`);
  other.release();
  await codeOfFailure(Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`)));
  await expect.poll(() => Promise.all([serverOf(sql), serverOf(sql)]).catch(codeOf)).toEqual([ports.second, ports.second]);
});

test("of two writable servers the one that was promoted last is used", async () => {
  const { proxy, leadTo } = await startBalancer();
  proxy.refuse();
  const sql = pool(urlOf(ports.first, proxy.port), 1);
  expect(await serverOf(sql)).toBe(ports.first);
  leadTo("second");
  proxy.open();
  // Until a connection has reached the second server, both are as good.
  while ((await answered(sql)) !== ports.second) await codeOfFailure(sql`select pg_terminate_backend(pg_backend_pid())`);
  for (let round = 0; round < 20; round++) {
    await codeOfFailure(sql`select pg_terminate_backend(pg_backend_pid())`);
    expect(await answered(sql)).toBe(ports.second);
  }
  proxy.refuse();
  await expect.poll(() => codeOfFailure(sql`select 1`)).toBe(OUTDATED_SERVER);
});

test("a server that does not tell its timeline is used", async () => {
  const owner = pool(url, 1);
  await owner`create role limited`;
  await owner`revoke execute on function pg_control_system from public`;
  onTestFinished(async () => void (await owner`grant execute on function pg_control_system to public`));
  const opened = connect({ url, connections: 1, role: "limited" });
  onTestFinished(opened.close);
  await expect(Promise.resolve(opened.sql`select pg_control_system()`)).rejects.toThrow("permission denied");
  expect(await serverOf(opened.sql)).toBe(ports.first);
});

test("a connection that is lost while the timeline is read fails its statement, and the next one gets a new connection", async () => {
  let isCut = false;
  const proxy = createServer((client) => {
    const server = createConnection(ports.first, "127.0.0.1");
    for (const socket of [client, server]) socket.on("error", () => {}).on("close", () => [client, server].map((one) => one.destroy()));
    client.on("data", (bytes) => {
      if (isCut || !bytes.includes("pg_walfile_name")) return void server.write(bytes);
      isCut = true;
      client.resetAndDestroy();
    });
    server.on("data", (bytes) => client.write(bytes));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void proxy.close());
  await once(proxy, "listening");
  const sql = pool(urlOf((proxy.address() as AddressInfo).port), 1);
  expect(await codeOfFailure(sql`select 1`)).toMatch(/^(?:CONNECTION_|ECONN)/);
  expect(isCut).toBe(true);
  expect(await answered(sql)).toBe(ports.first);
});
