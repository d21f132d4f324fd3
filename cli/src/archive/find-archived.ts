import { join, resolve } from "node:path";
import { timeOfId } from "@corprail/server/platform/core/ids";
import { indiaMonth } from "@corprail/server/platform/core/india-time";
import { done, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { listCellFolders, listMonths, readManifest } from "./manifest.ts";
import { type ArchivedRow, readParquet, type Value } from "./parquet.ts";

export type FindOptions = {
  readonly order?: string;
  readonly account?: string;
  readonly reference?: string;
  readonly providerReference?: string;
  readonly month?: string;
};

/** Finds an order by its id or its reference, or an account's statement of a month. It needs no database. */
export async function findArchived(_: CommandContext, folder: string, options: FindOptions): Promise<Outcome> {
  const archives = await listArchives(resolve(folder));
  if (archives.length === 0) return failed(`There is no archive in ${resolve(folder)}.`);
  const { order, account, reference, providerReference, month } = options;
  if (order !== undefined) return await findOrder(ofMonth(archives, indiaMonth(timeOfId(order))), (row) => row["order_id"] === order);
  if (providerReference !== undefined) return await findByProvider(archives.toReversed(), providerReference);
  if (account === undefined) throw new UsageFault("Give --order, --provider-reference, or --account with --reference or --month.");
  if (reference !== undefined)
    return await findOrder(archives.toReversed(), (row) => row["account_id"] === account && row["reference"] === reference);
  if (month === undefined) throw new UsageFault("Give --reference or --month with --account.");
  return await readStatement(ofMonth(archives, month), month, account);
}

/** The archive of a month and a cell. */
type Archive = { readonly month: string; readonly path: string };

/** The archives of all cells, by month. */
async function listArchives(folder: string): Promise<readonly Archive[]> {
  const archives: Archive[] = [];
  for (const own of await listCellFolders(folder))
    for (const month of await listMonths(own)) archives.push({ month, path: join(own, month) });
  return archives.sort((one, other) => (one.month < other.month ? -1 : one.month > other.month ? 1 : 0));
}

/** An order id begins with its time, so that only one month can have it. */
function ofMonth(archives: readonly Archive[], month: string): readonly Archive[] {
  return archives.filter((one) => one.month === month);
}

const NO_SUCH_ORDER = "The archive has no such order.";

type Matches = (row: ArchivedRow) => boolean;

async function findOrder(archives: readonly Archive[], matches: Matches): Promise<Outcome> {
  for (const { month, path } of archives) {
    const [order] = await rowsOf(path, "orders", matches);
    if (!order) continue;
    const details = await detailsOf(path, order);
    const fields = { month, order: shown(order), ...details };
    return done(`Order ${order["order_id"]} is in the archive of ${month}.`, fields, JSON.stringify(fields, null, 2));
  }
  return failed(NO_SUCH_ORDER);
}

/** Its operator's reference is in the order, those of the providers that were tried are in a table of their own. */
async function findByProvider(archives: readonly Archive[], reference: string): Promise<Outcome> {
  for (const archive of archives) {
    const tried = await rowsOf(archive.path, "order_provider_refs", (row) => row["provider_ref"] === reference);
    const orderIds = new Set(tried.map((row) => row["order_id"]));
    const found = await findOrder([archive], (row) => row["operator_ref"] === reference || orderIds.has(row["order_id"]));
    if (found.ok) return found;
  }
  return failed(NO_SUCH_ORDER);
}

/** Everything of an order in its month, and its later transfers where the archive has them. */
async function detailsOf(path: string, order: ArchivedRow): Promise<Record<string, readonly unknown[]>> {
  const { files } = await readManifest(path);
  const isOfOrder = (row: ArchivedRow) => row["account_id"] === order["account_id"] && row["order_id"] === order["order_id"];
  const details: Record<string, readonly unknown[]> = {};
  for (const { table, rows } of files) {
    if (rows === 0 || table === "orders" || table === "closings" || table === "bus_block_seats") continue;
    const found = await rowsOf(path, table, isOfOrder);
    if (found.length > 0) details[table] = found.map(shown);
  }
  return details;
}

async function readStatement(archives: readonly Archive[], month: string, account: string): Promise<Outcome> {
  if (archives.length === 0) return failed(`The archive has no month ${month}.`);
  for (const { path } of archives) {
    const [closing] = await rowsOf(path, "closings", (row) => row["account_id"] === account);
    if (!closing) continue;
    const transfers = await rowsOf(path, "transfers", (row) => row["account_id"] === account);
    const fields = { month, closing: shown(closing), transfers: transfers.map(shown) };
    return done(`Account ${account} has ${transfers.length} transfers in ${month}.`, fields, JSON.stringify(fields, null, 2));
  }
  return failed(`The archive of ${month} does not know the account ${account}.`);
}

async function rowsOf(path: string, table: string, matches: Matches): Promise<readonly ArchivedRow[]> {
  const found: ArchivedRow[] = [];
  for await (const rows of readParquet(join(path, `${table}.parquet`))) found.push(...rows.filter(matches));
  return found;
}

// Columns of time, whose names say so.
const TIME = /(?:^|_)at$|^(?:since|valid_until|due_by)$/;

/** JSON has no large numbers: amounts are text, and times are as in logs. */
function shown(row: ArchivedRow): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shownValue(name, value)]));
}

function shownValue(name: string, value: Value): Value {
  if (typeof value !== "bigint") return value;
  return TIME.test(name) ? new Date(Number(value / 1000n)).toISOString() : value.toString();
}
