import { existsSync } from "node:fs";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { AnchorFile } from "./anchor-file.ts";
import { findForeignKeys } from "./signing-key.ts";
import { listRuns } from "./store.ts";
import { type Fault, type Trusted, verifyAccount } from "./verify-account.ts";
import { readTrustedKeys, verifyAnchors, verifyRuns } from "./verify-runs.ts";

export type VerificationOptions = {
  readonly anchor: AnchorFile;
  /** The installation's master key, which shows that the signing keys are its own; null when it is not at hand. */
  readonly vault: Vault | null;
  /** The only key that may have signed, if the caller knows it. */
  readonly keyId: string | null;
  /** Verify these accounts only. */
  readonly accountIds: readonly string[] | null;
  /** With several cells: the databases of all of them. */
  readonly cells?: readonly Sql[];
  readonly onAccount?: (accountId: string) => void;
};

export type SignedVerification = {
  readonly faults: readonly Fault[];
  readonly accounts: number;
  /** Signed days of accounts whose transfers are in an archive and not in the database. */
  readonly archivedDays: number;
  readonly runs: number;
  /** The last day that is signed; null before the first. */
  readonly lastDay: string | null;
  /** The number of runs in the anchor file; null if there is no file. */
  readonly anchors: number | null;
  readonly keyIds: readonly string[];
};

/** Verifies what was signed against the database, and the database against the anchor file. It only reads. */
export async function verifyDatabase(sql: Sql, options: VerificationOptions): Promise<SignedVerification> {
  const runs = await listRuns(sql);
  const keys = await usableKeys(sql, options);
  const hasAnchor = existsSync(options.anchor);
  const anchored = hasAnchor ? await verifyAnchors(options.anchor, runs) : null;
  const trusted: Trusted = {
    keys: keys.usable,
    anchor: hasAnchor ? options.anchor : null,
    cells: options.cells ?? [sql],
    runHashes: new Map(runs.map((run) => [run.day, run.hash.toString("hex")])),
  };
  const faults: Fault[] = [...keys.faults, ...(anchored?.faults ?? []), ...(await verifyRuns(sql, runs, trusted))];
  const accounts = options.accountIds ?? (await listSignedAccounts(sql));
  let archivedDays = 0;
  for (const accountId of accounts) {
    const verified = await verifyAccount(sql, accountId, trusted);
    faults.push(...verified.faults);
    archivedDays += verified.archivedDays;
    options.onAccount?.(accountId);
  }
  return {
    faults,
    accounts: accounts.length,
    archivedDays,
    runs: runs.length,
    lastDay: runs.at(-1)?.day ?? null,
    anchors: anchored?.anchors ?? null,
    keyIds: [...keys.usable.keys()],
  };
}

async function usableKeys(sql: Sql, { vault, keyId }: VerificationOptions) {
  const all = await readTrustedKeys(sql);
  const foreign = new Set(vault === null ? [] : await findForeignKeys({ sql, vault }));
  const usable = new Map([...all].filter(([id]) => !foreign.has(id) && (keyId === null || keyId === id)));
  const faults: Fault[] = [...foreign].map((id) => ({ why: `the signing key ${id} was not made by this installation` }));
  if (keyId !== null && !all.has(keyId)) faults.push({ why: `the database has no signing key ${keyId}` });
  return { usable, faults };
}

/** A skip from one account to the next spares reading all rows. */
async function listSignedAccounts(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ account_id: string }[]>`
    with recursive accounts as (
      (select account_id from signed_days order by account_id limit 1)
      union all
      select (select d.account_id from signed_days d where d.account_id > a.account_id order by d.account_id limit 1)
      from accounts a where a.account_id is not null
    ) select account_id from accounts where account_id is not null`;
  return rows.map((row) => row.account_id);
}
