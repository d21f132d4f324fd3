import { join } from "node:path";
import { startPgbench } from "../contestants/pgbench.mjs";
import { startWorker } from "../worker-process.mjs";
import { makeAccounts } from "./accounts.mjs";
import { usableCores } from "./cpu.mjs";
import { migrated, startPostgres, withConnection } from "./database.mjs";
import { useDescribedProvider } from "./described-provider.mjs";
import { checkOut } from "./earlier-version.mjs";
import { seedOrders } from "./orders.mjs";
import { startService } from "./service.mjs";

const ACCOUNTS = 100;
const RECEIVERS = 100;
const YOUNG_ORDERS = 10_000;
const GROWN_ORDERS = 5_000_000;
const LARGE_ORDERS = 20_000_000;
const MOST_PROBES = 8;

/** Everything that takes part, each opened when it is first asked for; closing.mjs closes it all. */
export async function startEnvironment() {
  const postgres = await startPostgres();
  const client = start("load/worker.mjs");
  const once = remembering();
  const delivering = [];

  const seeded = (name, orders) =>
    once(`${name} seeded`, async () => {
      const databaseUrl = await postgres.create(name);
      // Accounts need the service, but it must not work on tables without indexes.
      const service = await startService({ databaseUrl });
      const accounts = await makeAccounts(service, ACCOUNTS);
      await service.stop();
      await seedOrders(databaseUrl, accounts, orders);
      return { databaseUrl, accounts };
    });
  const place = (name, orders) =>
    once(name, async () => {
      const { databaseUrl, accounts } = await seeded(name, orders);
      return { databaseUrl, accounts, service: await startService({ databaseUrl }) };
    });
  const main = () => place("main", YOUNG_ORDERS);
  const provider = () => once("provider", async () => await start("contestants/provider.mjs").ask("port"));
  const described = () =>
    once("described and routed", async () => {
      const made = await place("described", YOUNG_ORDERS);
      await useDescribedProvider(made.service, await provider());
      return made;
    });
  const plain = (name, providerPort) =>
    once(name, async () => {
      const { url, role } = await migrated(await postgres.create(name));
      const worker = start("contestants/plain.mjs", [url, role ?? "", ...(providerPort === undefined ? [] : [String(providerPort)])]);
      await worker.ask("seed");
      await withConnection(url, (sql) => sql`analyze`);
      return worker;
    });
  const single = (name, databaseUrl) => once(name, () => startService({ databaseUrl, command: ["bench/contestants/single-service.mjs"] }));
  const receivers = () =>
    once("receivers", async () => {
      const worker = start("delivery/receiver.mjs");
      const ports = await worker.ask("listen", { count: RECEIVERS });
      return { worker, urls: ports.map((port) => `http://127.0.0.1:${port}/callbacks`) };
    });
  const deliverer = () =>
    once("deliverer", async () => {
      const [{ url, role }, { worker: receiver, urls }] = [await migrated(await postgres.create("deliverer")), await receivers()];
      const worker = start("contestants/deliverer.mjs", [url, role ?? "", join(postgres.folder, "bench-key")]);
      delivering.push(worker);
      return { worker, receiver, urls, secrets: await worker.ask("prepare", { urls }) };
    });

  return {
    postgres,
    client,
    /** One for each core, up to eight, where a process can be bound to one. */
    speedProbes: () =>
      once("speed probes", async () =>
        (usableCores() ?? [null]).slice(0, MOST_PROBES).map((core) => start("load/speed-probe.mjs", [], {}, core)),
      ),
    main,
    receivers,
    deliverer,
    graphileWorker: (logging) =>
      once(`graphile ${logging}`, async () => {
        const [{ url }, { receiver, urls, secrets }] = [await migrated(await postgres.create(`graphile_${logging}`)), await deliverer()];
        const worker = start("contestants/graphile-worker.mjs", [url, logging], { NO_LOG_SUCCESS: "1" });
        delivering.push(worker);
        await worker.ask("prepare", { urls, secrets });
        return { worker, receiver, urls, secrets };
      }),
    /** PostgreSQL has a hundred connections, and others want them. */
    endDelivery: () => Promise.all(delivering.map((worker) => worker.end())),
    grown: () => place("grown", GROWN_ORDERS),
    large: () => place("large", LARGE_ORDERS),
    young: () => place("young", YOUNG_ORDERS),
    workers: () =>
      once("workers", async () =>
        startService({ databaseUrl: (await seeded("main", YOUNG_ORDERS)).databaseUrl, variables: { CORPRAIL_PROCESSES: "2" } }),
      ),
    second: () => once("second", async () => startService({ databaseUrl: (await seeded("main", YOUNG_ORDERS)).databaseUrl })),
    single: async () => await single("single", (await seeded("main", YOUNG_ORDERS)).databaseUrl),
    /** An earlier version on a database of its own, which may have another schema. */
    before: (ref) =>
      once("before", async () => {
        const service = await startService({ root: await checkOut(ref), databaseUrl: await postgres.create("before") });
        return { service, accounts: await makeAccounts(service, ACCOUNTS) };
      }),
    plain: () => plain("plain"),
    /** The same with a provider that is reached over HTTP. */
    described,
    describedSingle: async () => await single("single described", (await described()).databaseUrl),
    describedPlain: async () => await plain("plain_described", await provider()),
    bareRoute: () => once("bare route", async () => start("contestants/bare-route.mjs")),
    pgbench: () => once("pgbench", async () => startPgbench(await postgres.create("pgbench"))),
  };
}

/** @param {string} module of the bench */
function start(module, args, env, core) {
  return startWorker(new URL(`../${module}`, import.meta.url), args, env, core);
}

function remembering() {
  const made = new Map();
  return (name, make) => {
    if (!made.has(name)) made.set(name, make());
    return made.get(name);
  };
}
