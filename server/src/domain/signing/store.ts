import type { Queryable } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";

/** Days are read as text: the driver's Date would depend on the process's time zone. */
export type SignedDayRow = Omit<Row<"signed_days">, "day" | "cell"> & { readonly day: string };
export type SigningRunRow = Omit<Row<"signing_runs">, "day"> & { readonly day: string };

/** An account with transfers after its last signed one. */
export type OpenAccount = {
  readonly account_id: string;
  readonly last_seq: bigint;
  readonly number: bigint;
  readonly closing_balance: bigint;
  readonly hash: Buffer | null;
};

/** Accounts that may have transfers to sign for a day, in pages by account id. */
export async function listOpenAccounts(sql: Queryable, day: string, after: string, limit: number): Promise<readonly OpenAccount[]> {
  return await sql<OpenAccount[]>`
    select w.account_id, coalesce(d.last_seq, 0) as last_seq, coalesce(d.number, 0) as number,
      coalesce(d.closing_balance, 0) as closing_balance, d.hash
    from wallets w left join lateral (
      select last_seq, number, closing_balance, hash, day from signed_days where account_id = w.account_id order by number desc limit 1) d on true
    where w.account_id > ${after} and w.moved_to is null and w.seq > coalesce(d.last_seq, 0) and (d.day is null or d.day < ${day}::text::date)
    order by w.account_id limit ${limit}`;
}

/** The newest transfer before a time among those that are not signed; null if there is none. */
export async function findLastBefore(sql: Queryable, { account_id, last_seq }: OpenAccount, end: Date): Promise<bigint | null> {
  const [row] = await sql<{ seq: bigint }[]>`
    select seq from transfers where account_id = ${account_id} and seq > ${last_seq} and at < ${end} order by seq desc limit 1`;
  return row?.seq ?? null;
}

export async function insertSignedDay(sql: Queryable, row: SignedDayRow, marks: readonly Buffer[]): Promise<void> {
  const { account_id, day } = row;
  await sql`
    insert into signed_days
      (account_id, day, number, first_seq, last_seq, closing_balance, root, hash, signed_text, signature, key_id, cell)
    values (${account_id}, ${day}::text::date, ${row.number}, ${row.first_seq}, ${row.last_seq}, ${row.closing_balance}, ${row.root}, ${row.hash},
      ${row.signed_text}, ${row.signature}, ${row.key_id}, (select cell from installation))`;
  for (const [part, content] of marks.entries())
    await sql`insert into signed_day_marks (account_id, day, part, marks) values (${account_id}, ${day}::text::date, ${part}, ${content})`;
}

export async function readMarks(sql: Queryable, accountId: string, day: string): Promise<Buffer> {
  const rows = await sql<{ marks: Buffer }[]>`
    select marks from signed_day_marks where account_id = ${accountId} and day = ${day}::text::date order by part`;
  return Buffer.concat(rows.map((row) => row.marks));
}

/** A range of an account's signed days, oldest first. */
export async function listSignedDays(sql: Queryable, accountId: string, from: string, to: string): Promise<readonly SignedDayRow[]> {
  return await sql<SignedDayRow[]>`
    select account_id, day::text as day, number, first_seq, last_seq, closing_balance, root, hash, signed_text, signature, key_id
    from signed_days where account_id = ${accountId} and day between ${from}::text::date and ${to}::text::date order by day`;
}

export type DayHash = Pick<SignedDayRow, "account_id" | "hash" | "signed_text" | "first_seq" | "last_seq">;

/** The signed days of a cell's run that a database has, by account id. */
export async function listDayHashes(sql: Queryable, day: string, cell: number): Promise<readonly DayHash[]> {
  return await sql<DayHash[]>`
    select account_id, hash, signed_text, first_seq, last_seq from signed_days where day = ${day}::text::date and cell = ${cell}
    order by account_id collate "C"`;
}

export async function readLastRun(sql: Queryable): Promise<SigningRunRow | null> {
  const [row] = await sql<SigningRunRow[]>`
    select run, day::text as day, accounts, lines, hash, signed_text, signature, key_id, signed_at from signing_runs order by run desc limit 1`;
  return row ?? null;
}

/** All runs after one, oldest first. */
export async function listRuns(sql: Queryable, after = 0n): Promise<readonly SigningRunRow[]> {
  return await sql<SigningRunRow[]>`
    select run, day::text as day, accounts, lines, hash, signed_text, signature, key_id, signed_at
    from signing_runs where run > ${after} order by run`;
}

export async function insertRun(sql: Queryable, row: SigningRunRow): Promise<void> {
  await sql`
    insert into signing_runs (run, day, accounts, lines, hash, signed_text, signature, key_id, signed_at)
    values (${row.run}, ${row.day}::text::date, ${row.accounts}, ${row.lines}, ${row.hash}, ${row.signed_text}, ${row.signature}, ${row.key_id},
      ${row.signed_at})`;
}

export type Installation = { readonly installation_id: string; readonly created_at: Date; readonly cell: number };

export async function readInstallation(sql: Queryable): Promise<Installation> {
  const [row] = await sql<Installation[]>`select installation_id, created_at, cell::int as cell from installation`;
  if (!row) throw new Error("The installation table has no row.");
  return row;
}
