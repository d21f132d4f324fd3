import { join, resolve } from "node:path";
import { done, failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { ARCHIVED } from "./archived-tables.ts";
import { BUCKETS, type Closing } from "./closings.ts";
import { listCellFolders, listMonths, type Manifest, readManifest } from "./manifest.ts";
import { readParquet, sha256Of } from "./parquet.ts";

/** Checks the files of every month against their checksums, and the ledger in them. It needs no database. */
export async function verifyArchive(ctx: CommandContext, folder: string): Promise<Outcome> {
  const folders = await listCellFolders(resolve(folder));
  const byFolder = await Promise.all(folders.map(async (own) => new Set(await listMonths(own))));
  const months = [...new Set(byFolder.flatMap((own) => [...own]))].sort();
  if (months.length === 0) return failed(`There is no archive in ${resolve(folder)}.`);
  const faults: string[] = [];
  let before: CheckedMonth | null = null;
  for (const month of months) {
    const own = folders.filter((_, place) => byFolder[place]?.has(month));
    const checked: CheckedMonth = addMonths(await Promise.all(own.map((path) => checkMonth(join(path, month), month))), own);
    faults.push(
      ...checked.faults,
      ...(before?.to === checked.from ? chainFaults(month, before.closings, checked.closings, isExpected(before, checked)) : []),
    );
    before = checked;
    ctx.note(`${month} checked`);
  }
  const fields = { months, faults };
  if (faults.length > 0) return failed("The archive is damaged.", fields, faults.join("\n"));
  const count = months.length === 1 ? "1 month" : `${months.length} months, ${months.at(0)} to ${months.at(-1)}`;
  return done(`The archive is consistent: ${count}.`, fields);
}

/** A month of all cells. An account may have moved to another cell between two months. */
function addMonths(all: readonly CheckedMonth[], folders: readonly string[]): CheckedMonth {
  const [first] = all;
  return {
    faults: all.flatMap((one) => one.faults),
    from: first?.from ?? "",
    to: first?.to ?? "",
    closings: new Map(all.flatMap((one) => [...one.closings])),
    folders,
  };
}

/** Whether accounts of a month must be in the next one too: not if the archive of a cell lacks it. */
function isExpected(before: CheckedMonth, later: CheckedMonth): () => boolean {
  const isComplete = before.folders.every((folder) => later.folders.includes(folder));
  return () => isComplete;
}

type CheckedMonth = {
  readonly faults: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly closings: ReadonlyMap<string, Closing>;
  /** The folders of the cells that have it. */
  readonly folders: readonly string[];
};

/** Nothing else of a month is read when one of its files is not as it was written. */
async function checkMonth(folder: string, month: string): Promise<CheckedMonth> {
  const { from, to } = await readManifest(folder);
  const found = await monthFaults(folder, month);
  const closings = found.length === 0 ? await readClosings(folder) : new Map<string, Closing>();
  return { faults: found.map((fault) => `${month}: ${fault}`), from, to, closings, folders: [] };
}

/** What is wrong with one month. */
export async function monthFaults(folder: string, month: string): Promise<readonly string[]> {
  const manifest = await readManifest(folder);
  if (manifest.month !== month) return [`the manifest is that of ${manifest.month}`];
  const faults = await fileFaults(folder, manifest);
  return faults.length > 0 ? faults : await ledgerFaults(folder);
}

// A table that joins these later needs a new format of the archive, because the older archives do not have it.
const TABLES = ["closings", "transfers", ...ARCHIVED.map(({ name }) => name)];

async function fileFaults(folder: string, manifest: Manifest): Promise<readonly string[]> {
  const unnamed = TABLES.filter((table) => !manifest.files.some((file) => file.table === table));
  const faults = unnamed.map((table) => `${table}.parquet is not in the manifest`);
  for (const { name, sha256 } of manifest.files) {
    const actual = await sha256Of(join(folder, name)).catch(() => null);
    if (actual === null) faults.push(`${name} is missing`);
    else if (actual !== sha256) faults.push(`${name} was changed: its checksum is ${actual}, not ${sha256}`);
  }
  return faults;
}

/** The closing balances of a month's archive. */
export async function readClosingsOf(folder: string): Promise<readonly Closing[]> {
  return [...(await readClosings(folder)).values()];
}

/** What is wrong with a month, also compared with the one before it where the folder has that. An account may have moved away. */
export async function chainedFaults(folder: string, month: string, isHere: (accountId: string) => boolean): Promise<readonly string[]> {
  const own = await monthFaults(join(folder, month), month);
  const before = (await listMonths(folder)).filter((one) => one < month).at(-1);
  if (own.length > 0 || before === undefined) return own;
  const [earlier, { from }] = [await readManifest(join(folder, before)), await readManifest(join(folder, month))];
  if (earlier.to !== from) return [];
  return chainFaults(month, await readClosings(join(folder, before)), await readClosings(join(folder, month)), isHere);
}

async function readClosings(folder: string): Promise<ReadonlyMap<string, Closing>> {
  const closings = new Map<string, Closing>();
  for await (const rows of readParquet(join(folder, "closings.parquet")))
    for (const row of rows as readonly Closing[]) closings.set(row.account_id, row);
  return closings;
}

type Running = { seq: bigint; available: bigint; held: bigint; cleared: bigint; funding: bigint; fees: bigint };
type Transfer = {
  readonly account_id: string;
  readonly seq: bigint;
  readonly from_bucket: keyof Running;
  readonly to_bucket: keyof Running;
  readonly amount: bigint;
  readonly available_after: bigint;
};

/** Carries every account from its opening balances over its transfers to its closing balances. */
async function ledgerFaults(folder: string): Promise<readonly string[]> {
  const closings = await readClosings(folder);
  const faults = new Set<string>();
  const running = new Map<string, Running>([...closings].map(([accountId, closing]) => [accountId, balancesAt(closing, "opening")]));
  for await (const rows of readParquet(join(folder, "transfers.parquet")))
    for (const transfer of rows as unknown as readonly Transfer[]) {
      const fault = apply(transfer, running.get(transfer.account_id));
      if (fault !== null) faults.add(`account ${transfer.account_id} ${fault}`);
    }
  for (const [accountId, closing] of closings) {
    const [reached, wanted] = [running.get(accountId), balancesAt(closing, "closing")];
    if (!isSame(reached, wanted)) faults.add(`account ${accountId} does not reach its closing balances`);
  }
  return [...faults];
}

/** Adds a transfer to the balances; returns what is wrong with it. */
function apply(transfer: Transfer, balances: Running | undefined): string | null {
  if (!balances) return "has transfers, but no closing balances";
  const isNext = transfer.seq === balances.seq + 1n;
  balances.seq = transfer.seq;
  balances[transfer.from_bucket] -= transfer.amount;
  balances[transfer.to_bucket] += transfer.amount;
  if (!isNext) return `has a gap before transfer ${transfer.seq}`;
  return balances.available === transfer.available_after ? null : `has a wrong balance after transfer ${transfer.seq}`;
}

function isSame(a: Running | undefined, b: Running): boolean {
  return a !== undefined && a.seq === b.seq && BUCKETS.every((bucket) => a[bucket] === b[bucket]);
}

function balancesAt(closing: Closing, end: "opening" | "closing"): Running {
  return {
    seq: closing[`${end}_seq`],
    available: closing[`${end}_available`],
    held: closing[`${end}_held`],
    cleared: closing[`${end}_cleared`],
    funding: closing[`${end}_funding`],
    fees: closing[`${end}_fees`],
  };
}

type Closings = ReadonlyMap<string, Closing>;

/** A month begins where the one before it ended. */
function chainFaults(month: string, before: Closings, closings: Closings, isExpected: (accountId: string) => boolean): readonly string[] {
  return [...before].flatMap(([accountId, earlier]) => {
    const later = closings.get(accountId);
    if (!later) return isExpected(accountId) ? [`${month}: account ${accountId} is missing`] : [];
    return isSame(balancesAt(earlier, "closing"), balancesAt(later, "opening"))
      ? []
      : [`${month}: account ${accountId} does not begin with the closing balances of the month before`];
  });
}
