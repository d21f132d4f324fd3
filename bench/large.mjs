import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "./closing.mjs";
import { median } from "./rounds.mjs";
import { ROOT } from "./setup/service.mjs";

const CALLS = 5;
const HOUR_MILLISECONDS = 3_600_000;

/** Pages and searches, the whole ledger check and a backup, with the largest table. */
export async function measureLarge(world) {
  const { service, accounts, databaseUrl } = await world.large();
  const {
    items: [newest],
  } = await service.call("/orders?limit=1");
  const account = accounts[0].accountId;
  const pages = {
    "newest orders": "/orders?limit=50",
    "newest orders of an account": `/orders?limit=50&account_id=${account}`,
    "an order": `/orders/${newest.order_id}`,
    "search by order id": `/orders?search=${newest.order_id}`,
    "search by reference": `/orders?search=${newest.urid}`,
    "newest transfers": "/ledger/entries?limit=50",
    "newest transfers of an account": `/ledger/entries?limit=50&account_id=${account}`,
  };
  const milliseconds = {};
  for (const [name, path] of Object.entries(pages)) milliseconds[name] = await medianOf(() => service.call(path));
  return {
    "pages and searches with 20 million orders, milliseconds": milliseconds,
    "ledger check with 20 million orders, seconds": await secondsOf(() => service.call("/ledger/check")),
    "backup with 20 million orders, seconds": await secondsOf(() => backUp(databaseUrl)),
  };
}

async function backUp(databaseUrl) {
  const folder = temporaryFolder("corprail-bench-backup-");
  const env = { ...process.env, CORPRAIL_DATABASE_URL: databaseUrl, CORPRAIL_DATA_DIR: folder };
  const command = [join(ROOT, "cli/bin/corprail.mjs"), "backup", join(folder, "it.backup")];
  await promisify(execFile)(process.execPath, command, { env, timeout: HOUR_MILLISECONDS });
}

async function medianOf(work) {
  const seconds = [];
  for (let call = 0; call < CALLS; call++) seconds.push(await secondsOf(work));
  return Math.round(1000 * median(seconds));
}

async function secondsOf(work) {
  const startedAt = performance.now();
  await work();
  return Math.round(performance.now() - startedAt) / 1000;
}
