// npm run ha -- ["only=leader killed,process killed"]: two processes and two PostgreSQL servers under load, while parts of it fail.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { makeReleases, NEXT_VERSION } from "../../e2e/harness/releases.ts";
import { cellOfId } from "../../server/src/platform/core/ids.ts";
import { closeAll, closeOnSignals, isClosing, temporaryFolder } from "../closing.mjs";
import { makeAccounts } from "../setup/accounts.mjs";
import { freePort, startService } from "../setup/service.mjs";
import { startBalancer } from "./balancer.mjs";
import { knowsAccount, startClients } from "./clients.mjs";
import { databaseUrl, postgresVersion, startCell, startCluster } from "./database.mjs";
import { FAULTS } from "./faults.mjs";
import { findPrograms } from "./programs.mjs";
import { startProvider, useProvider } from "./provider.mjs";
import { until } from "./until.mjs";

const CLIENTS = 16;
const STEADY_MILLISECONDS = 5_000;
const KNOWN_MILLISECONDS = 1_100;
const MOST_SECONDS_AFTER_LEADER = 5;

async function main() {
  const faults = chooseFaults(process.argv.slice(2));
  const releases = faults.some(({ name }) => name === "upgrade and back-out") ? await packageVersions() : null;
  const world = await startEverything(releases);
  const results = [];
  for (const fault of faults) {
    results.push(await runFault(fault, world));
    print(describe(results.at(-1)));
  }
  const ledger = await world.call("/ledger/check");
  print(`ledger invariants: ${ledger.ok ? "hold" : JSON.stringify(ledger.checks.filter(({ violations }) => violations > 0))}`);
  const isGood = ledger.ok && results.every(({ lost, twice, gap }) => lost + twice === 0 && gap <= MOST_SECONDS_AFTER_LEADER);
  print(isGood ? "Nothing was lost or charged twice." : "A promise was broken: see above.");
  await closeAll();
  process.exitCode = isGood ? 0 : 1;
}

function chooseFaults(args) {
  const names = FAULTS.map(({ name }) => name);
  const only =
    args
      .find((arg) => arg.startsWith("only="))
      ?.slice("only=".length)
      .split(",") ?? names;
  const unknown = [...args.filter((arg) => !arg.startsWith("only=")), ...only.filter((name) => !names.includes(name))];
  if (unknown.length > 0) throw new Error(`Not known: ${unknown.join(", ")}. Usage: npm run ha -- "only=${names.join(",")}"`);
  return FAULTS.filter(({ name }) => only.includes(name));
}

/** The program of the next version, and a folder to run it in. */
async function packageVersions() {
  print("The present version and one that changes the schema are packaged for the upgrade.");
  const folder = temporaryFolder("corprail-ha-releases-");
  await makeReleases(folder);
  return { next: join(folder, NEXT_VERSION, "bin/corprail.mjs") };
}

async function startEverything(releases) {
  const programs = findPrograms();
  print(`${postgresVersion(programs)}: home on two servers with Patroni and etcd, a second cell; two processes; HAProxy before both`);
  const cluster = await startCluster(programs);
  const cell = await startCell(programs);
  const ports = { database: await freePort(), api: await freePort() };
  const urls = { home: databaseUrl(ports.database), cell: cell.url };
  const processes = [await prepareProcess(urls), await prepareProcess(urls)];
  startBalancer({ haproxy: programs.haproxy, ports, nodes: cluster.nodes, processes: processes.map(({ port }) => port) });
  for (const one of processes) await one.start();
  const provider = await startProvider();
  const call = (path, body) => processes[1].call(path, body);
  await useProvider({ call }, provider.port);
  // One after the other: a process learns within a second how many accounts each cell has, and fills the smallest.
  const accounts = [];
  for (let made = 0; made < CLIENTS; made++) {
    accounts.push(...(await makeAccounts({ call }, 1)));
    await wait(KNOWN_MILLISECONDS);
  }
  for (const { port } of processes)
    await until("a process knows all accounts", async () => await Promise.all(accounts.map((account) => knowsAccount(account, port))));
  await until("the balancer leads to a process", async () => (await fetch(`http://127.0.0.1:${ports.api}/readyz`)).ok);
  return {
    ...{ cluster, cell, processes, provider, accounts, call, apiPort: ports.api },
    nextVersion: releases?.next,
    upgrade: () => upgradeSchema(releases.next, urls),
  };
}

const environmentOf = (urls) => ({ CORPRAIL_DATABASE_URL: urls.home, CORPRAIL_CELLS: `1=${urls.cell}` });

async function upgradeSchema(program, urls) {
  const env = { ...process.env, ...environmentOf(urls), CORPRAIL_DATA_DIR: temporaryFolder("corprail-ha-upgrade-") };
  const { stdout } = await promisify(execFile)(process.execPath, [program, "upgrade", "run", "--json"], { env });
  print(`upgrade run: ${stdout.trim()}`);
}

async function prepareProcess(urls) {
  const port = await freePort();
  const dataFolder = temporaryFolder("corprail-ha-process-");
  let service = null;
  return {
    port,
    /** @param {string} [program] the packaged version to run; this one otherwise */
    start: async (program) => {
      const command = program === undefined ? {} : { command: [program, "serve"] };
      service = await startService({ port, dataFolder, databaseUrl: urls.home, variables: environmentOf(urls), ...command });
    },
    stop: () => service.stop(),
    kill: () => process.kill(service.pid, "SIGKILL"),
    call: (path, body) => service.call(path, body),
  };
}

async function runFault(fault, world) {
  await world.cluster.healthy();
  const clients = startClients({ port: world.apiPort, accounts: world.accounts });
  await wait(STEADY_MILLISECONDS);
  const brokenAt = performance.now();
  const acceptsAt = await fault.cause(world);
  // Of home after a failover: the orders of the other cell never stopped.
  const isFirst = ({ at, orderId }) => at > acceptsAt && (fault.cell !== 0 || cellOfId(orderId) === 0);
  const { at: firstAt } = await until("an order is acknowledged again", async () => clients.acknowledged.find(isFirst));
  await fault.repair(world);
  const repairedAt = performance.now();
  await wait(STEADY_MILLISECONDS);
  await clients.stop();
  const seconds = clients.acknowledged.map((order) => order.seconds).toSorted((a, b) => a - b);
  return {
    name: fault.name,
    ...(await judge(clients.acknowledged, world.provider)),
    newLeader: fault.cell === 0 ? (acceptsAt - brokenAt) / 1000 : null,
    gap: (firstAt - acceptsAt) / 1000,
    slowest: seconds.at(-1),
    retried: clients.failures(),
    others: fault.cell === null ? null : othersOf(clients.acknowledged, fault.cell, brokenAt, repairedAt),
  };
}

/** How long orders took in the cells without the fault, before it and until it was repaired. */
function othersOf(acknowledged, cell, brokenAt, repairedAt) {
  const others = acknowledged.filter(({ orderId }) => cellOfId(orderId) !== cell);
  const during = others.filter(({ at }) => at > brokenAt && at < repairedAt);
  return { before: p99(others.filter(({ at }) => at <= brokenAt)), during: p99(during), orders: during.length };
}

function p99(orders) {
  const sorted = orders.map(({ seconds }) => seconds).toSorted((a, b) => a - b);
  return Math.round((sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN) * 1000);
}

/** Compares the replies that clients received with what the service says now and with what the provider charged. */
async function judge(acknowledged, provider) {
  const charges = provider.chargesByNumber();
  const left = [...acknowledged];
  let lost = 0;
  const compare = async () => {
    for (let order = left.pop(); order !== undefined; order = left.pop()) if (await isLost(order, charges.get(order.number) ?? 0)) lost++;
  };
  await Promise.all(Array.from({ length: CLIENTS }, compare));
  const twice = acknowledged.filter(({ number }) => (charges.get(number) ?? 0) > 1).length;
  return { orders: acknowledged.length, failed: acknowledged.filter(({ outcome }) => outcome === "failed").length, lost, twice };
}

async function isLost({ client, urid, outcome, orderId }, charged) {
  const found = await find(client, urid);
  if (found === null) return true;
  return found.orderId !== orderId || found.outcome !== outcome || charged > 0 !== (outcome === "succeeded");
}

/** The order of a reference; null if the service does not know it. */
async function find(client, urid) {
  try {
    return await client.recharge.get({ urid });
  } catch (error) {
    if (error?.httpStatus !== 404) throw error;
    return null;
  }
}

function describe({ name, orders, failed, lost, twice, newLeader, gap, slowest, retried, others }) {
  const cells = others && `; the other cell: ${others.orders} orders meanwhile, p99 ${others.during} ms (${others.before} ms before)`;
  return [
    `${name}: ${orders} orders (${failed} failed), lost ${lost}, charged twice ${twice},`,
    `${newLeader === null ? "" : `new leader after ${newLeader.toFixed(1)} s, `}first order ${gap.toFixed(1)} s later,`,
    `slowest order ${slowest.toFixed(1)} s, ${retried} replies without a final state${cells ?? ""}`,
  ].join(" ");
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

closeOnSignals();
try {
  await main();
} catch (error) {
  if (!isClosing()) process.stderr.write(`${error?.stack ?? error}\n${error?.cause?.stack ?? ""}\n`);
  process.exitCode = 1;
  await closeAll();
}
