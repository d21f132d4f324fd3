import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "./closing.mjs";
import { median } from "./rounds.mjs";
import { COMMON_NUMBER, OLDEST_NUMBER } from "./setup/orders.mjs";
import { ROOT } from "./setup/service.mjs";

const CALLS = 5;
const HOUR_MILLISECONDS = 3_600_000;
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS;

/** Pages and searches, the whole ledger check and a backup, with the largest table. */
export async function measureLarge(world) {
  const { service, accounts, databaseUrl } = await world.large();
  const {
    items: [newest],
  } = await service.call("/orders?limit=1");
  const milliseconds = {};
  for (const [name, path] of Object.entries(pagesOf(newest, accounts[0].accountId)))
    milliseconds[name] = await medianOf(() => service.call(path));
  return {
    "pages and searches with 20 million orders, milliseconds": milliseconds,
    "ledger check with 20 million orders, seconds": await secondsOf(() => checkLedger(databaseUrl)),
    "backup with 20 million orders, seconds": await secondsOf(() => backUp(databaseUrl)),
  };
}

function pagesOf(newest, account) {
  return {
    "newest orders": "/orders?limit=50",
    "newest orders of an account": `/orders?limit=50&account_id=${account}`,
    "an order": `/orders/${newest.order_id}`,
    "failed orders": "/orders?limit=50&status=FAILED",
    "pending orders": "/orders?limit=50&status=pending",
    "orders of an operator and an account": `/orders?limit=50&operator=JO&account_id=${account}`,
    "search by order id": `/orders?search=${newest.order_id}`,
    "search by reference": `/orders?search=${newest.urid}`,
    "search by a common number": `/orders?search=${COMMON_NUMBER}`,
    "search by the number of an old order": `/orders?search=${OLDEST_NUMBER}`,
    "search by a number that has none": "/orders?search=6000000001",
    "newest transfers": "/ledger/entries?limit=50",
    "newest transfers of an account": `/ledger/entries?limit=50&account_id=${account}`,
    "statement of a month": `/accounts/${account}/statements?month=${daysAgo(40).slice(0, 7)}`,
    "trial balance": "/ledger/trial-balance",
    overview: "/overview",
    "analytics of 30 days": `/analytics?from=${daysAgo(30)}&to=${daysAgo(0)}&by=operator`,
    "analytics of 90 days": `/analytics?from=${daysAgo(90)}&to=${daysAgo(0)}&by=operator`,
    "analytics of 90 days by client": `/analytics?from=${daysAgo(90)}&to=${daysAgo(0)}&by=account`,
    "analytics of an account": `/analytics?from=${daysAgo(30)}&to=${daysAgo(0)}&by=operator&account_id=${account}`,
    "analytics by two filters": `/analytics?from=${daysAgo(30)}&to=${daysAgo(0)}&by=reason&operator=JO&circle=DL`,
    "analytics of two filters by client": `/analytics?from=${daysAgo(30)}&to=${daysAgo(0)}&by=account&operator=JO&circle=DL`,
  };
}

/** The date so many days ago. */
function daysAgo(days) {
  return new Date(Date.now() - days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

// Both by the CLI: an HTTP client gives up on a reply that takes as long as a whole check.
async function checkLedger(databaseUrl) {
  await runCorprail(databaseUrl, temporaryFolder("corprail-bench-check-"), ["ledger", "verify"]);
}

async function backUp(databaseUrl) {
  const folder = temporaryFolder("corprail-bench-backup-");
  await runCorprail(databaseUrl, folder, ["backup", join(folder, "it.backup")]);
}

async function runCorprail(databaseUrl, folder, args) {
  const env = { ...process.env, CORPRAIL_DATABASE_URL: databaseUrl, CORPRAIL_DATA_DIR: folder };
  await promisify(execFile)(process.execPath, [join(ROOT, "cli/bin/corprail.mjs"), ...args], { env, timeout: HOUR_MILLISECONDS });
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
