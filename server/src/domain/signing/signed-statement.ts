import { indiaMidnight } from "../../platform/core/india-time.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { refuseIfLeft } from "../ledger/archived-months.ts";
import { readLedgerLines } from "./ledger-lines.ts";
import { listPublicKeys } from "./signing-key.ts";
import { listSignedDays, readInstallation, readMarks, type SignedDayRow } from "./store.ts";

/** Which signed days of an account; both days are included. */
export type StatementRange = { readonly accountId: string; readonly from: string; readonly to: string };

/** The version of the file format, which contract/verify-statement.mjs reads. */
const FORMAT = 1;
const DAY_MILLISECONDS = 24 * 3_600_000;
const MARKS_A_LINE_BYTES = 4_096 * 8;

/**
 * Yields a signed statement as lines of JSON: a head, the public keys, and for each signed day its signed text, its marks and
 * its transfers. The bytes of a transfer's line are a leaf of the day's Merkle tree.
 */
export async function* signedStatement(sql: Sql, range: StatementRange, madeAt: Date): AsyncGenerator<string> {
  const { accountId, from, to } = range;
  const [{ installation_id }, days] = [await readInstallation(sql), await listSignedDays(sql, accountId, from, to)];
  const head = { type: "statement", format: FORMAT, installation_id, account_id: accountId, from, to, made_at: madeAt.toISOString() };
  yield jsonLine(head) + (await keyLines(sql, new Set(days.map((day) => day.key_id))));
  let lines = 0;
  for (const day of days) {
    yield jsonLine({ type: "day", signed: day.signed_text, signature: day.signature.toString("base64") }) + (await marksLines(sql, day));
    for await (const page of readLedgerLines(sql, accountId, day.first_seq, day.last_seq)) {
      lines += page.length;
      yield page.map((line) => `${line.text}\n`).join("");
    }
  }
  const span = { fromMilliseconds: indiaMidnight(from) ?? 0, toMilliseconds: (indiaMidnight(to) ?? 0) + DAY_MILLISECONDS };
  await refuseIfLeft(sql, span, madeAt.getTime());
  yield jsonLine({ type: "end", days: days.length, lines });
}

/** The public keys with these ids, as lines of an export. */
export async function keyLines(sql: Sql, keyIds: ReadonlySet<string>): Promise<string> {
  const keys = (await listPublicKeys(sql)).filter((key) => keyIds.has(key.key_id));
  return keys.map(({ key_id, public_key }) => jsonLine({ type: "key", key_id, public_key })).join("");
}

async function marksLines(sql: Sql, { account_id, day }: SignedDayRow): Promise<string> {
  const marks = await readMarks(sql, account_id, day);
  const parts = Math.ceil(marks.length / MARKS_A_LINE_BYTES);
  const part = (place: number) => marks.subarray(place * MARKS_A_LINE_BYTES, (place + 1) * MARKS_A_LINE_BYTES).toString("base64");
  return Array.from({ length: parts }, (_, place) => jsonLine({ type: "marks", marks: part(place) })).join("");
}

export function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
