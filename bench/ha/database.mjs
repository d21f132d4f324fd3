import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { startTcpProxy } from "../../server/src/testing/tcp-proxy.ts";
import { atEnd, temporaryFolder } from "../closing.mjs";
import { freePort } from "../setup/service.mjs";
import { until } from "./until.mjs";

const SCOPE = "corprail";
const PASSWORD = "ha";
// initdb refuses a locale that the machine does not have.
const ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: "C.UTF-8" };
// Patroni wants loop_wait + 2 * retry_timeout <= ttl.
const FAILOVER = { ttl: 20, loop_wait: 2, retry_timeout: 5 };

/**
 * Two PostgreSQL servers that Patroni keeps as leader and synchronous standby, with etcd. Everything that reaches a node or
 * leaves it for etcd goes through proxies, so that a node can be cut off.
 *
 * @param {ReturnType<typeof import("./programs.mjs").findPrograms>} programs
 */
export async function startCluster(programs) {
  const folder = temporaryFolder("corprail-ha-");
  giveTo(programs.user, folder);
  const etcdPort = await startEtcd(programs, folder);
  const nodes = [];
  for (const name of ["a", "b"]) nodes.push(await startNode({ name, programs, folder, etcdPort }));
  const cluster = {
    nodes,
    leader: () => findLeader(nodes),
    /** Resolves when one node leads and the other one is its synchronous standby. */
    healthy: () => until("the cluster has a leader and a synchronous standby", () => isHealthy(nodes)),
  };
  await cluster.healthy();
  await createDatabase(await cluster.leader());
  return cluster;
}

async function startEtcd({ etcd, user }, folder) {
  const [port, peerPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  run({
    command: etcd,
    args: [
      ...["--name", "etcd", "--data-dir", join(folder, "etcd")],
      ...["--listen-client-urls", url, "--advertise-client-urls", url, "--listen-peer-urls", peerUrl],
      ...["--initial-advertise-peer-urls", peerUrl, "--initial-cluster", `etcd=${peerUrl}`, "--enable-v2"],
    ],
    user,
    log: join(folder, "etcd.log"),
  });
  await until("etcd answers", async () => (await fetch(`${url}/health`)).ok);
  return port;
}

async function startNode({ name, programs, folder, etcdPort }) {
  const [port, restPort] = [await freePort(), await freePort()];
  const proxies = {
    postgres: await startTcpProxy({ host: "127.0.0.1", port }),
    rest: await startTcpProxy({ host: "127.0.0.1", port: restPort }),
    etcd: await startTcpProxy({ host: "127.0.0.1", port: etcdPort }),
  };
  for (const proxy of Object.values(proxies)) atEnd("folders", proxy.close);
  const dataFolder = join(folder, name);
  mkdirSync(dataFolder, { mode: 0o700 });
  giveTo(programs.user, dataFolder);
  const configFile = join(folder, `${name}.json`);
  writeFileSync(configFile, JSON.stringify(configOf({ name, port, restPort, proxies, dataFolder, programs }), null, 2));
  giveTo(programs.user, configFile);
  const start = () => run({ command: programs.patroni, args: [configFile], user: programs.user, log: join(folder, `${name}.log`) });
  let patroni = start();
  const servers = () => serversOf(dataFolder);
  const signal = (name) => sendSignal([patroni.pid, ...servers()], name);
  atEnd("processes", () => signal("SIGKILL"));
  return {
    name,
    port,
    postgresPort: proxies.postgres.port,
    restPort: proxies.rest.port,
    kill: () => signal("SIGKILL"),
    freeze: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    restart: () => {
      patroni = start();
    },
    cutOff: () => {
      for (const proxy of Object.values(proxies)) proxy.hang();
    },
    reconnect: () => {
      for (const proxy of Object.values(proxies)) proxy.open();
    },
    /** Whether this node accepts writes, asked directly. */
    isWritable: () => query(port, "select not pg_is_in_recovery() as yes").then(([row]) => row.yes),
    query: (text) => query(port, text),
  };
}

// JSON is YAML too.
function configOf({ name, port, restPort, proxies, dataFolder, programs }) {
  const hba = ["local all all trust", "host all all 127.0.0.1/32 md5", "host replication all 127.0.0.1/32 md5"];
  return {
    scope: SCOPE,
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${proxies.rest.port}` },
    // Without use_proxies Patroni would learn etcd's own address and go past the proxy. Not etcd3: up to Patroni 3.0.2, which
    // Debian 12 has, a leader that was frozen may overwrite its successor's leader key there, and what that one wrote is lost.
    etcd: { host: `127.0.0.1:${proxies.etcd.port}`, use_proxies: true },
    bootstrap: {
      dcs: { ...FAILOVER, synchronous_mode: true, postgresql: { use_pg_rewind: true, parameters: { max_connections: 200 } } },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }, "data-checksums"],
      pg_hba: hba,
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${proxies.postgres.port}`,
      data_dir: join(dataFolder, "postgres"),
      bin_dir: programs.postgresFolder,
      pgpass: join(dataFolder, "pgpass"),
      parameters: { unix_socket_directories: dataFolder },
      authentication: {
        superuser: { username: "postgres", password: PASSWORD },
        replication: { username: "replicator", password: PASSWORD },
      },
    },
  };
}

/**
 * A second cell: one PostgreSQL server without a standby.
 *
 * @param {ReturnType<typeof import("./programs.mjs").findPrograms>} programs
 */
export async function startCell({ postgresFolder, user }) {
  const folder = temporaryFolder("corprail-ha-cell-");
  giveTo(user, folder);
  const data = join(folder, "postgres");
  const password = join(folder, "password");
  writeFileSync(password, PASSWORD);
  giveTo(user, password);
  const init = ["-D", data, "-U", "postgres", "--auth=scram-sha-256", `--pwfile=${password}`, "-E", "UTF8", "--locale=C"];
  execFileSync(join(postgresFolder, "initdb"), init, { ...user, stdio: "ignore", env: ENVIRONMENT });
  const port = await freePort();
  const flags = ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder, "-c", "max_connections=200"];
  const start = async () => {
    run({ command: join(postgresFolder, "postgres"), args: flags, user, log: join(folder, "cell.log") });
    await until("the cell answers", () => query(port, "select 1"));
  };
  const kill = () => sendSignal(serversOf(folder), "SIGKILL");
  atEnd("processes", kill);
  await start();
  await createDatabase({ query: (text) => query(port, text) });
  return { url: databaseUrl(port), start, kill };
}

async function createDatabase(server) {
  await server.query("create role corprail login createrole password 'ha'");
  await server.query("create role corprail_app nologin");
  await server.query("grant corprail_app to corprail");
  await server.query("create database corprail owner corprail");
}

/** The address of the database at the balancer's port. */
export function databaseUrl(port) {
  return `postgres://corprail:${PASSWORD}@127.0.0.1:${port}/corprail`;
}

async function findLeader(nodes) {
  for (const node of nodes) if (await node.isWritable().catch(() => false)) return node;
  throw new Error("no node accepts writes");
}

async function isHealthy(nodes) {
  const leader = await findLeader(nodes);
  const standbys = await leader.query("select 1 from pg_stat_replication where state = 'streaming' and sync_state = 'sync'");
  return standbys.length === 1;
}

async function query(port, text) {
  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
  // The driver's own query for types would be rejected where nobody can catch it when a server goes away.
  const sql = postgres(url, { max: 1, connect_timeout: 1, fetch_types: false, onnotice: () => {} });
  try {
    return await sql.unsafe(text);
  } finally {
    await sql.end({ timeout: 0 });
  }
}

function run({ command, args, user, log }) {
  const output = openSync(log, "a");
  const child = spawn(command, args, { ...user, stdio: ["ignore", output, output], env: ENVIRONMENT });
  atEnd("processes", () => child.kill("SIGKILL"));
  return child;
}

/** The server process of a data folder and its children. */
function serversOf(dataFolder) {
  const folder = join(dataFolder, "postgres");
  const parents = readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap(readProcess);
  const server = parents.find(({ command }) => command.includes(folder) && command.startsWith("postgres"))?.pid ?? postmasterOf(folder);
  if (server === null) return [];
  return [server, ...parents.filter(({ parent }) => parent === server).map(({ pid }) => pid)];
}

function postmasterOf(folder) {
  try {
    const pid = Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]);
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder) ? pid : null;
  } catch {
    // No file, or a process that is gone: no server runs.
    return null;
  }
}

function readProcess(name) {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, "utf8");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    return [{ pid: Number(name), parent, command: readFileSync(`/proc/${name}/cmdline`, "utf8") }];
  } catch {
    // The process ended meanwhile.
    return [];
  }
}

function sendSignal(pids, signal) {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
}

function giveTo({ uid, gid }, path) {
  if (uid !== undefined) chownSync(path, uid, gid);
}

/** Both servers' versions, for the report. */
export function postgresVersion({ postgresFolder }) {
  return execFileSync(join(postgresFolder, "postgres"), ["--version"], { encoding: "utf8" }).trim();
}
