import { AsyncLocalStorage } from "node:async_hooks";
import type { Queryable, Transaction } from "../../platform/db/connection.ts";

/** The audit sequence number of each cell up to which a caller has seen the settings, and the caller's own later entries. */
export type Revision = ReadonlyMap<number, { readonly seen: bigint; readonly own: readonly OwnEntries[] }>;
type OwnEntries = { readonly first: bigint; readonly last: bigint };

/** A setting was changed by somebody else after the caller read it. */
export class ChangedMeanwhile extends Error {
  readonly refusal = "conflict";
}

type Expectation = { readonly revision: Revision; readonly written: Map<number, bigint[]> };

const expectations = new AsyncLocalStorage<Expectation>();

/** The entries that change a setting of configuration files. */
const CONFIGURATION_ACTIONS = [
  "account.changed",
  "account.services_switched",
  "account.allowlist_replaced",
  "account.closed",
  "provider.created",
  "provider.changed",
  "provider.switched",
  "provider.route_saved",
  "provider.route_deleted",
  "commercial.set",
  "commercial.ended",
  "service.switched",
  "operator.switched",
  "transfers.settings_changed",
  "alert_settings.changed",
  "approval_rules.changed",
  "staff.role_changed",
  "staff.disabled",
  "staff.enabled",
];

/**
 * Runs a change that is refused if what it changes was changed after the revision. The check and the change are one
 * transaction, because writers of the audit log wait for each other. Returns the revision after it.
 */
export async function expectUnchanged<Result>(
  revision: Revision,
  change: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly revision: Revision }> {
  const written = new Map<number, bigint[]>();
  const result = await expectations.run({ revision, written }, change);
  return { result, revision: withOwn(revision, written) };
}

/** Called with the head of the audit log locked, before an entry is written. */
export async function refuseChanged(tx: Transaction, subject: { readonly kind: string; readonly id: string }): Promise<void> {
  const expectation = expectations.getStore();
  if (expectation === undefined) return;
  const known = expectation.revision.get(await cellOf(tx));
  const own = known?.own ?? [];
  // A rule for prices has a new id each time, so any other rule counts as a change.
  const [changed] = await tx<{ actor: string; action: string }[]>`
    select actor, action from audit_log
    where subject_kind = ${subject.kind} and (subject_id = ${subject.id} or subject_kind = 'commercial')
      and seq > ${known?.seen ?? 0n} and action in ${tx(CONFIGURATION_ACTIONS)}
      and not exists (
        select from unnest(${own.map(({ first }) => String(first))}::bigint[], ${own.map(({ last }) => String(last))}::bigint[]) as o (first, last)
        where seq between o.first and o.last)
    order by seq limit 1`;
  if (!changed) return;
  const what = subject.kind === "commercial" ? "A fee or commission rule" : `${subject.kind} ${subject.id}`;
  throw new ChangedMeanwhile(`${what} was changed by ${changed.actor} (${changed.action}) after the plan was made. Make a new plan.`);
}

/** Called after an entry was written. */
export async function noteWritten(tx: Transaction, seq: bigint): Promise<void> {
  const expectation = expectations.getStore();
  if (expectation === undefined) return;
  const cell = await cellOf(tx);
  expectation.written.set(cell, [...(expectation.written.get(cell) ?? []), seq]);
}

/** The current revision of one cell's database. */
export async function readRevision(sql: Queryable): Promise<Revision> {
  const [row] = await sql<{ cell: number; seq: bigint }[]>`select cell, seq from installation, audit_head`;
  return new Map(row ? [[row.cell, { seen: row.seq, own: [] }]] : []);
}

async function cellOf(sql: Queryable): Promise<number> {
  const [row] = await sql<{ cell: number }[]>`select cell from installation`;
  return row?.cell ?? 0;
}

function withOwn(revision: Revision, written: ReadonlyMap<number, readonly bigint[]>): Revision {
  return new Map(
    [...revision].map(([cell, { seen, own }]) => [cell, { seen, own: (written.get(cell) ?? []).reduce(joined, own) }] as const),
  );
}

function joined(own: readonly OwnEntries[], seq: bigint): readonly OwnEntries[] {
  const last = own.at(-1);
  return last && last.last + 1n === seq ? [...own.slice(0, -1), { first: last.first, last: seq }] : [...own, { first: seq, last: seq }];
}

/** As text for a header, such as `0:812+815-820,1:40`. */
export function formatRevision(revision: Revision): string {
  const text = ({ first, last }: OwnEntries) => (first === last ? `+${first}` : `+${first}-${last}`);
  return [...revision]
    .toSorted(([one], [other]) => one - other)
    .map(([cell, { seen, own }]) => `${cell}:${seen}${own.map(text).join("")}`)
    .join(",");
}

const CELL = /^(\d{1,2}):(\d{1,18})((?:\+\d{1,18}(?:-\d{1,18})?)*)$/;

/** Null if the text is not a revision. */
export function parseRevision(text: string): Revision | null {
  const parts = text.split(",").map((part) => CELL.exec(part));
  if (parts.some((part) => part === null)) return null;
  return new Map(
    parts.flatMap((part) => {
      const [, cell = "", seen = "", own = ""] = part ?? [];
      return [[Number(cell), { seen: BigInt(seen), own: own.split("+").slice(1).map(toOwn) }] as const];
    }),
  );
}

function toOwn(text: string): OwnEntries {
  const [first = "0", last = first] = text.split("-");
  return { first: BigInt(first), last: BigInt(last) };
}
