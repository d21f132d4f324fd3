import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPgbench } from "../contestants/pgbench.mjs";
import { startWorker } from "../worker-process.mjs";
import { makeAccounts } from "./accounts.mjs";
import { migrated, startPostgres, withConnection } from "./database.mjs";
import { seedOrders } from "./orders.mjs";
import { startService } from "./service.mjs";

const ACCOUNTS = 100;
const YOUNG_ORDERS = 10_000;
const GROWN_ORDERS = 5_000_000;

/** Everything that takes part, each opened when it is first asked for and all closed together. */
export async function openWorld() {
  const closers = [];
  const keep = (opened) => {
    closers.push(() => opened.stop());
    return opened;
  };
  const postgres = keep(await startPostgres());
  const client = keep(startWorker(new URL("../load/worker.mjs", import.meta.url)));
  const once = remembering();

  const place = (name, orders) =>
    once(name, async () => {
      const databaseUrl = await postgres.create(name);
      const service = keep(await startService({ databaseUrl }));
      const accounts = await makeAccounts(service, ACCOUNTS);
      await withConnection(databaseUrl, (sql) => seedOrders(sql, accounts, orders));
      return { databaseUrl, service, accounts };
    });
  const main = () => place("main", YOUNG_ORDERS);

  return {
    postgres,
    client,
    main,
    grown: () => place("grown", GROWN_ORDERS),
    young: () => place("young", YOUNG_ORDERS),
    second: () => once("second", async () => keep(await startService({ databaseUrl: (await main()).databaseUrl }))),
    single: () =>
      once("single", async () =>
        keep(await startService({ databaseUrl: (await main()).databaseUrl, command: ["bench/contestants/single-service.mjs"] })),
      ),
    plain: () =>
      once("plain", async () => {
        const { url, role } = await migrated(await postgres.create("plain"));
        const worker = keep(startWorker(new URL("../contestants/plain.mjs", import.meta.url), [url, role ?? ""]));
        await worker.ask("seed");
        await withConnection(url, (sql) => sql`analyze`);
        return worker;
      }),
    bareRoute: () => once("bare route", async () => keep(startWorker(new URL("../contestants/bare-route.mjs", import.meta.url)))),
    pgbench: () => once("pgbench", async () => openPgbench(await postgres.create("pgbench"))),
    close: async () => {
      for (const close of closers.toReversed()) await close();
      await rm(join(tmpdir(), `corprail-bench-key-${process.pid}`), { force: true });
    },
  };
}

function remembering() {
  const made = new Map();
  return (name, make) => {
    if (!made.has(name)) made.set(name, make());
    return made.get(name);
  };
}
