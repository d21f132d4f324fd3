import { formatMoney } from "../../platform/core/money.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { markOf, readLedgerLines } from "./ledger-lines.ts";
import { createMerkleTree } from "./merkle.ts";
import { type SignedDay, sha256 } from "./signed-texts.ts";
import type { Signer } from "./signing-key.ts";
import { findLastBefore, insertSignedDay, listOpenAccounts, type OpenAccount } from "./store.ts";

/** An India day that is over. */
export type ClosedDay = { readonly day: string; readonly end: Date; readonly signedAt: Date; readonly installationId: string };

const ACCOUNTS_A_PAGE = 500;
const MARKS_A_PART = 65_536;

/**
 * Signs a day of every account that has transfers in it. An account that was signed before an interruption is left as it is.
 * The database needs the account part of the schema only.
 */
export async function signAccountDays(sql: Sql, signer: Signer, day: ClosedDay): Promise<void> {
  let after = "";
  for (;;) {
    const accounts = await listOpenAccounts(sql, day.day, after, ACCOUNTS_A_PAGE);
    for (const account of accounts) await signAccountDay(sql, signer, day, account);
    const last = accounts.at(-1);
    if (!last) return;
    after = last.account_id;
  }
}

async function signAccountDay(sql: Sql, signer: Signer, day: ClosedDay, account: OpenAccount): Promise<void> {
  const last = await findLastBefore(sql, account, day.end);
  if (last === null) return;
  const first = account.last_seq + 1n;
  const tree = createMerkleTree();
  const marks: Buffer[] = [];
  let balance = account.closing_balance;
  for await (const lines of readLedgerLines(sql, account.account_id, first, last))
    for (const line of lines) {
      tree.add(line.leaf);
      marks.push(markOf(line.leaf));
      balance = line.balance;
    }
  const root = tree.root();
  const signedText = JSON.stringify({
    type: "ledger day",
    installation_id: day.installationId,
    account_id: account.account_id,
    day: day.day,
    number: Number(account.number) + 1,
    first_seq: Number(first),
    last_seq: Number(last),
    lines: marks.length,
    opening_balance: formatMoney(account.closing_balance),
    closing_balance: formatMoney(balance),
    root: root.toString("hex"),
    marks: sha256(Buffer.concat(marks)).toString("hex"),
    previous: account.hash?.toString("hex") ?? "",
    signed_at: day.signedAt.toISOString(),
    key_id: signer.keyId,
  } satisfies SignedDay);
  const row = {
    ...{ account_id: account.account_id, day: day.day, number: account.number + 1n, first_seq: first, last_seq: last },
    ...{ closing_balance: balance, root, hash: sha256(signedText), signed_text: signedText },
    ...{ signature: signer.sign(signedText), key_id: signer.keyId },
  };
  await sql.begin((tx) => insertSignedDay(tx, row, inParts(marks)));
}

function inParts(marks: readonly Buffer[]): readonly Buffer[] {
  const parts = Math.ceil(marks.length / MARKS_A_PART);
  return Array.from({ length: parts }, (_, part) => Buffer.concat(marks.slice(part * MARKS_A_PART, (part + 1) * MARKS_A_PART)));
}
