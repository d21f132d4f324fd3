import { formatMoney } from "../../platform/core/money.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { type LedgerStart, readLedgerStart } from "../ledger/closings.ts";
import { type AnchorFile, findAnchoredMarks } from "./anchor-file.ts";
import { firstDifference, readLedgerLines } from "./ledger-lines.ts";
import { createMerkleTree } from "./merkle.ts";
import { parseSignedDay, type SignedDay, sha256 } from "./signed-texts.ts";
import { isSignedBy } from "./signing-key.ts";
import { listSignedDays, readMarks, type SignedDayRow } from "./store.ts";

/** Something that is not as it was signed. `seq` names the transfer, where it is known. */
export type Fault = {
  readonly accountId?: string;
  readonly day?: string;
  readonly seq?: number;
  readonly why: string;
};

/** What a verification compares with besides the database. */
export type Trusted = {
  /** Public keys by id. */
  readonly keys: ReadonlyMap<string, string>;
  readonly anchor: AnchorFile | null;
  /** The databases of all cells, which may have days of the runs. */
  readonly cells: readonly Sql[];
  /** The hash of each day's signing run. */
  readonly runHashes: ReadonlyMap<string, string>;
};

type Previous = { readonly number: number; readonly lastSeq: number; readonly hash: string; readonly closing: string };

const ALL_DAYS = ["-infinity", "infinity"] as const;

export type AccountVerification = {
  /** Of each broken day. */
  readonly faults: readonly Fault[];
  /** Days whose transfers have left the database with an archived month, so that only chain and signature were verified. */
  readonly archivedDays: number;
};

/** Verifies all signed days of an account: signatures, chain, and every transfer that is in the database. */
export async function verifyAccount(sql: Sql, accountId: string, trusted: Trusted): Promise<AccountVerification> {
  const faults: Fault[] = [];
  let previous: Previous = { number: 0, lastSeq: 0, hash: "", closing: formatMoney(0n) };
  let start = await readLedgerStart(sql, accountId);
  let archivedDays = 0;
  for (const row of await listSignedDays(sql, accountId, ...ALL_DAYS)) {
    const about = { accountId, day: row.day };
    const signed = parseSignedDay(row.signed_text);
    const why = signed === null ? "the signed text cannot be read" : dayFault(row, signed, previous, trusted);
    if (why !== null) faults.push({ ...about, why });
    if (signed === null) continue;
    let compared = await compareDay(sql, signed, start, trusted);
    if (compared.fault !== null) {
      // Its month may have left for the archive while the transfers were read.
      start = await readLedgerStart(sql, accountId);
      compared = await compareDay(sql, signed, start, trusted);
    }
    if (compared.isArchived) archivedDays += 1;
    if (compared.fault !== null) faults.push({ ...about, ...compared.fault });
    previous = {
      number: signed.number,
      lastSeq: signed.last_seq,
      hash: sha256(row.signed_text).toString("hex"),
      closing: signed.closing_balance,
    };
  }
  return { faults, archivedDays };
}

type Compared = { readonly isArchived: boolean; readonly fault: LineFault | null };

async function compareDay(sql: Sql, signed: SignedDay, start: LedgerStart, trusted: Trusted): Promise<Compared> {
  const isArchived = BigInt(signed.last_seq) <= start.seq && !(await hasTransfers(sql, signed));
  return { isArchived, fault: isArchived ? closingFault(signed, start) : await lineFault(sql, signed, trusted) };
}

/** A month leaves the database as a whole. If any transfer of a day is there, its month was not archived. */
async function hasTransfers(sql: Sql, { account_id, first_seq, last_seq }: SignedDay): Promise<boolean> {
  const rows = await sql`
    select from transfers where account_id = ${account_id} and seq between ${BigInt(first_seq)} and ${BigInt(last_seq)} limit 1`;
  return rows.length > 0;
}

/** The closing of an archived month must be the balance that was signed. */
function closingFault(signed: SignedDay, { seq, available }: LedgerStart): LineFault | null {
  if (BigInt(signed.last_seq) !== seq || formatMoney(available) === signed.closing_balance) return null;
  return { seq: signed.last_seq, why: `the month was archived with the balance ${formatMoney(available)}, not ${signed.closing_balance}` };
}

/** What is wrong with the day's own row, before its transfers are read. */
function dayFault(row: SignedDayRow, signed: SignedDay, previous: Previous, { keys }: Trusted): string | null {
  const key = keys.get(signed.key_id);
  if (key === undefined) return `it is signed with the unknown key ${signed.key_id}`;
  if (!isSignedBy(key, row.signed_text, row.signature)) return "the signature does not match the signed text";
  if (signed.account_id !== row.account_id || signed.day !== row.day) return "the signed text is that of another account or day";
  if (signed.number !== previous.number + 1)
    return `it is signed day number ${signed.number} of the account, but the one before it is number ${previous.number}: signed days are missing`;
  if (signed.previous !== previous.hash) return "it does not continue the signed day before it";
  if (signed.first_seq !== previous.lastSeq + 1 || signed.opening_balance !== previous.closing)
    return "its first transfer or its opening balance does not follow from the signed day before it";
  return columnsMatch(row, signed) ? null : "the row's columns differ from the signed text";
}

function columnsMatch(row: SignedDayRow, signed: SignedDay): boolean {
  return (
    row.number === BigInt(signed.number) &&
    row.first_seq === BigInt(signed.first_seq) &&
    row.last_seq === BigInt(signed.last_seq) &&
    row.key_id === signed.key_id &&
    formatMoney(row.closing_balance) === signed.closing_balance &&
    row.root.toString("hex") === signed.root &&
    row.hash.equals(sha256(row.signed_text))
  );
}

type LineFault = { readonly seq?: number; readonly why: string };

/** Reads the day's transfers; on a difference, reads them again to name the first one. */
async function lineFault(sql: Sql, signed: SignedDay, trusted: Trusted): Promise<LineFault | null> {
  const tree = createMerkleTree();
  let lines = 0;
  for await (const page of readLedgerLines(sql, signed.account_id, BigInt(signed.first_seq), BigInt(signed.last_seq)))
    for (const { leaf } of page) {
      tree.add(leaf);
      lines += 1;
    }
  if (lines === signed.lines && tree.root().toString("hex") === signed.root) return null;
  const marks = await findMarks(sql, signed, trusted);
  if (marks !== null) return await firstChangedLine(sql, signed, marks);
  const range = `transfers ${signed.first_seq} to ${signed.last_seq}`;
  return { why: `${range} are not those that were signed, and their marks were changed too, so that the transfer cannot be named` };
}

/** The marks of the day, from the database or from the anchor's folder, if they are those that were signed. */
async function findMarks(sql: Sql, signed: SignedDay, { anchor, runHashes }: Trusted): Promise<Buffer | null> {
  const stored = await readMarks(sql, signed.account_id, signed.day);
  if (sha256(stored).toString("hex") === signed.marks) return stored;
  const runHash = runHashes.get(signed.day);
  if (anchor === null || runHash === undefined) return null;
  return await findAnchoredMarks(anchor, runHash, signed.account_id, signed.marks);
}

async function firstChangedLine(sql: Sql, signed: SignedDay, marks: Buffer): Promise<LineFault> {
  let seen = 0;
  for await (const page of readLedgerLines(sql, signed.account_id, BigInt(signed.first_seq), BigInt(signed.last_seq))) {
    const leaves = page.map((line) => line.leaf);
    const place = firstDifference(marks, leaves, seen);
    if (place !== null) {
      const line = page[place - seen];
      const expected = signed.first_seq + place;
      const seq = Number(line?.seq ?? 0);
      // Numbers are unique in each partition only, so the database's owner can add a row with a number that exists.
      if (line && seq < expected) return { seq, why: `a transfer with this number was added after it was signed: ${line.text}` };
      if (line && seq === expected) return { seq, why: `the transfer was changed after it was signed: ${line.text}` };
      return { seq: expected, why: "the transfer was removed after it was signed" };
    }
    seen += leaves.length;
  }
  return { seq: signed.first_seq + seen, why: "the transfer was removed after it was signed" };
}
