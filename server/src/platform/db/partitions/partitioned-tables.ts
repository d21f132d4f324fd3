import { orderIdAt } from "../../core/ids.ts";
import { indiaDate, indiaMidnight, indiaMonth, indiaMonthSpan, type Span } from "../../core/india-time.ts";

type Step = "month" | "day";

/**
 * A table whose rows lie in partitions by time. `id`: the key is an id that begins with its time.
 * `history` leaves the database when its month was archived, `log` when it is older than its retention.
 */
export type PartitionedTable = {
  readonly table: string;
  readonly key: string;
  readonly keyKind: "id" | "time";
  readonly step: Step;
  readonly kept: "history" | "log";
};

const ofOrders = (table: string): PartitionedTable => ({ table, key: "order_id", keyKind: "id", step: "month", kept: "history" });
const log = (table: string, step: Step): PartitionedTable => ({ table, key: "at", keyKind: "time", step, kept: "log" });

/** As server/schema/account defines them; a test compares. */
export const PARTITIONED: readonly PartitionedTable[] = [
  ofOrders("orders"),
  ofOrders("order_attempts"),
  ofOrders("order_results"),
  ofOrders("order_provider_refs"),
  { table: "transfers", key: "at", keyKind: "time", step: "month", kept: "history" },
  { table: "callbacks", key: "callback_id", keyKind: "id", step: "month", kept: "history" },
  log("provider_exchanges", "month"),
  log("callback_attempts", "month"),
  log("api_calls", "day"),
];

/** One partition: its name, its time span and its bounds as text, the second exclusive. */
export type Partition = {
  readonly of: PartitionedTable;
  readonly name: string;
  readonly span: Span;
  readonly bounds: readonly [from: string, to: string];
};

const DAY_MILLISECONDS = 24 * 3_600_000;

export function defaultPartition({ table }: PartitionedTable): string {
  return `${table}_default`;
}

/** The partition of a table that holds rows of this time. */
export function partitionAt(of: PartitionedTable, milliseconds: number): Partition {
  return of.step === "month" ? ofPeriod(of, indiaMonth(milliseconds)) : ofPeriod(of, indiaDate(milliseconds));
}

/** The partition with this name; null when it is not one of this table. */
function partitionNamed(of: PartitionedTable, name: string): Partition | null {
  const suffix = name.startsWith(`${of.table}_`) ? name.slice(of.table.length + 1) : "";
  const isPeriod = of.step === "month" ? /^[0-9]{4}_[0-9]{2}$/ : /^[0-9]{4}_[0-9]{2}_[0-9]{2}$/;
  return isPeriod.test(suffix) ? ofPeriod(of, suffix.replaceAll("_", "-")) : null;
}

/** The partitions with these names; other names are left out. */
export function partitionsNamed(names: readonly string[]): readonly Partition[] {
  return names.flatMap((name) => PARTITIONED.flatMap((of) => partitionNamed(of, name) ?? []));
}

/** The partitions of history of a month such as 2026-01. */
export function historyPartitions(month: string): readonly Partition[] {
  return PARTITIONED.filter(({ kept }) => kept === "history").map((of) => ofPeriod(of, month));
}

/** The present partition of a table and the following ones. */
export function partitionsAhead(of: PartitionedTable, milliseconds: number, ahead: number): readonly Partition[] {
  const found = [partitionAt(of, milliseconds)];
  for (let more = 0; more < ahead; more++) found.push(partitionAt(of, found.at(-1)?.span.toMilliseconds ?? milliseconds));
  return found;
}

function ofPeriod(of: PartitionedTable, period: string): Partition {
  const span = of.step === "month" ? indiaMonthSpan(period) : daySpan(period);
  if (span === null) throw new Error(`${period} is not a ${of.step}.`);
  const bound = (at: number) => (of.keyKind === "id" ? orderIdAt(at) : new Date(at).toISOString());
  const bounds = [bound(span.fromMilliseconds), bound(span.toMilliseconds)] as const;
  return { of, name: `${of.table}_${period.replaceAll("-", "_")}`, span, bounds };
}

function daySpan(date: string): Span | null {
  const fromMilliseconds = indiaMidnight(date);
  return fromMilliseconds === null ? null : { fromMilliseconds, toMilliseconds: fromMilliseconds + DAY_MILLISECONDS };
}
