// npm run ha -- ["only=leader killed,process killed"]: two processes and two PostgreSQL servers under load, while parts of it fail.
import { setTimeout as wait } from "node:timers/promises";
import { closeAll, closeOnSignals, isClosing, temporaryFolder } from "../closing.mjs";
import { makeAccounts } from "../setup/accounts.mjs";
import { freePort, startService } from "../setup/service.mjs";
import { startBalancer } from "./balancer.mjs";
import { knowsAccount, startClients } from "./clients.mjs";
import { databaseUrl, postgresVersion, startCluster } from "./database.mjs";
import { FAULTS } from "./faults.mjs";
import { findPrograms } from "./programs.mjs";
import { startProvider, useProvider } from "./provider.mjs";
import { until } from "./until.mjs";

const CLIENTS = 16;
const STEADY_MILLISECONDS = 5_000;
const MOST_SECONDS_AFTER_LEADER = 5;

async function main() {
  const faults = chooseFaults(process.argv.slice(2));
  const world = await startEverything();
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

async function startEverything() {
  const programs = findPrograms();
  print(`${postgresVersion(programs)}, two servers with Patroni and etcd; two processes; HAProxy before both`);
  const cluster = await startCluster(programs);
  const ports = { database: await freePort(), api: await freePort() };
  const processes = [await prepareProcess(ports.database), await prepareProcess(ports.database)];
  startBalancer({ haproxy: programs.haproxy, ports, nodes: cluster.nodes, processes: processes.map(({ port }) => port) });
  for (const one of processes) await one.start();
  const provider = await startProvider();
  const call = (path, body) => processes[1].call(path, body);
  await useProvider({ call }, provider.port);
  const accounts = await makeAccounts({ call }, CLIENTS);
  for (const { port } of processes)
    await until("a process knows all accounts", async () => await Promise.all(accounts.map((account) => knowsAccount(account, port))));
  await until("the balancer leads to a process", async () => (await fetch(`http://127.0.0.1:${ports.api}/readyz`)).ok);
  return { cluster, processes, provider, accounts, call, apiPort: ports.api };
}

async function prepareProcess(databasePort) {
  const port = await freePort();
  const dataFolder = temporaryFolder("corprail-ha-process-");
  let service = null;
  return {
    port,
    start: async () => {
      service = await startService({ port, dataFolder, databaseUrl: databaseUrl(databasePort) });
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
  await until("an order is acknowledged again", async () => clients.acknowledged.some(({ at }) => at > acceptsAt));
  const firstAt = clients.acknowledged.find(({ at }) => at > acceptsAt).at;
  await fault.repair(world);
  await wait(STEADY_MILLISECONDS);
  await clients.stop();
  const seconds = clients.acknowledged.map((order) => order.seconds).toSorted((a, b) => a - b);
  return {
    name: fault.name,
    ...(await judge(clients.acknowledged, world.provider)),
    newLeader: (acceptsAt - brokenAt) / 1000,
    gap: (firstAt - acceptsAt) / 1000,
    slowest: seconds.at(-1),
    retried: clients.failures(),
  };
}

/** Compares what clients were told with what the service says now and with what the provider charged. */
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
  const found = await client.recharge.get({ urid });
  return found.orderId !== orderId || found.outcome !== outcome || charged > 0 !== (outcome === "succeeded");
}

function describe({ name, orders, failed, lost, twice, newLeader, gap, slowest, retried }) {
  return [
    `${name}: ${orders} orders (${failed} failed), lost ${lost}, charged twice ${twice},`,
    `new leader after ${newLeader.toFixed(1)} s, first order ${gap.toFixed(1)} s later,`,
    `slowest order ${slowest.toFixed(1)} s, ${retried} replies without a final state`,
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
