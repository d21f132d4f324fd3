import type { Clock } from "../../platform/core/clock.ts";
import { indiaDate, indiaMidnight } from "../../platform/core/india-time.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Queryable, Sql } from "../../platform/db/connection.ts";
import type { Log } from "../../platform/observability/log.ts";
import { type AnchorFile, anchorRuns } from "./anchor-file.ts";
import { createMerkleTree, leafHash } from "./merkle.ts";
import { type ClosedDay, signAccountDays } from "./sign-account-day.ts";
import { parseSignedDay, type SignedRun, sha256 } from "./signed-texts.ts";
import { loadSigner, type Signer } from "./signing-key.ts";
import { insertRun, listDayHashes, listRuns, readInstallation, readLastRun, type SigningRunRow } from "./store.ts";
import { verifyAnchors } from "./verify-runs.ts";

export type SigningContext = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly log: Pick<Log, "info" | "warn">;
  readonly anchor: AnchorFile;
};

/** The advisory lock that lets one process sign at a time. */
export const SIGNING_LOCK = 7_236_154_206;
const DAY_MILLISECONDS = 24 * 3_600_000;
// Clocks of processes differ slightly, and a batch is committed after its time. A transfer that is later still is in the next day.
const MARGIN_MILLISECONDS = 10 * 60_000;
// After a long outage the remaining days are signed by the next run of the job.
const MAX_DAYS_A_RUN = 31;

/**
 * Signs every India day that is over, oldest first, and writes the runs to the anchor file. Returns the number of days.
 * Another process that signs at this moment makes it return 0.
 */
export async function signDueDays(ctx: SigningContext): Promise<number> {
  const connection = await ctx.sql.reserve();
  try {
    const [lock] = await connection<{ taken: boolean }[]>`select pg_try_advisory_lock(${SIGNING_LOCK}) as taken`;
    if (!lock?.taken) return 0;
    try {
      return await signUnderLock(ctx);
    } finally {
      await connection`select pg_advisory_unlock(${SIGNING_LOCK})`;
    }
  } finally {
    connection.release();
  }
}

async function signUnderLock(ctx: SigningContext): Promise<number> {
  let signed = 0;
  for (let due = await nextDueDay(ctx); due !== null && signed < MAX_DAYS_A_RUN; due = await nextDueDay(ctx)) {
    const signer = await loadSigner(ctx);
    await signAccountDays(ctx.sql, signer, due.day);
    const run = await ctx.sql.begin((tx) => recordRun(tx, signer, due.day, due.last));
    ctx.log.info({ run: Number(run.run), day: run.day, hash: run.hash.toString("hex") }, "ledger day signed");
    signed += 1;
  }
  // Also when nothing was due: a process that was killed may have left a run without its anchor.
  await anchorRuns(ctx.sql, ctx.anchor);
  const { faults } = await verifyAnchors(ctx.anchor, await listRuns(ctx.sql));
  // The failing job is an alert, and the message says what to look at.
  if (faults[0]) throw new Error(`${faults[0].why}. Run: corprail statement verify`);
  return signed;
}

type DueDay = { readonly day: ClosedDay; readonly last: SigningRunRow | null };

async function nextDueDay({ sql, clock }: Pick<SigningContext, "sql" | "clock">): Promise<DueDay | null> {
  const now = clock.now();
  const [last, installation] = await Promise.all([readLastRun(sql), readInstallation(sql)]);
  const midnight = last ? midnightOf(last.day) + DAY_MILLISECONDS : midnightOf(indiaDate(installation.created_at.getTime()));
  const end = midnight + DAY_MILLISECONDS;
  if (now < end + MARGIN_MILLISECONDS) return null;
  const common = { signedAt: new Date(now), installationId: installation.installation_id };
  return { day: { day: indiaDate(midnight), end: new Date(end), ...common }, last };
}

function midnightOf(day: string): number {
  const midnight = indiaMidnight(day);
  if (midnight === null) throw new Error(`${day} is not a day.`);
  return midnight;
}

/** The last day that must be signed at this time. It allows the job an hour after midnight. */
export function lastDayDue(now: number): string {
  return indiaDate(now - DAY_MILLISECONDS - 60 * 60_000);
}

async function recordRun(tx: Queryable, signer: Signer, { day, signedAt, installationId }: ClosedDay, last: SigningRunRow | null) {
  const days = await listDayHashes(tx, day, (await readInstallation(tx)).cell);
  const tree = createMerkleTree();
  for (const one of days) tree.add(leafHash(one.hash));
  const [head] = await tx<{ seq: bigint; hash: Buffer }[]>`select seq, hash from audit_head`;
  if (!head) throw new Error("The audit log's head is missing.");
  const lines = days.reduce((sum, one) => sum + (parseSignedDay(one.signed_text)?.lines ?? 0), 0);
  const signedText = JSON.stringify({
    type: "signing run",
    installation_id: installationId,
    run: Number(last?.run ?? 0n) + 1,
    day,
    accounts: days.length,
    lines,
    root: tree.root().toString("hex"),
    audit_seq: Number(head.seq),
    audit_hash: head.hash.toString("hex"),
    previous: last?.hash.toString("hex") ?? "",
    signed_at: signedAt.toISOString(),
    key_id: signer.keyId,
  } satisfies SignedRun);
  const row: SigningRunRow = {
    ...{ run: (last?.run ?? 0n) + 1n, day, accounts: days.length, lines: BigInt(lines), hash: sha256(signedText) },
    ...{ signed_text: signedText, signature: signer.sign(signedText), key_id: signer.keyId, signed_at: signedAt },
  };
  await insertRun(tx, row);
  return row;
}
