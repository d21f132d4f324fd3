import type { Sql } from "../../platform/db/connection.ts";
import { type AnchorFile, listAnchoredAccounts, readAnchors } from "./anchor-file.ts";
import { createMerkleTree, leafHash } from "./merkle.ts";
import { parseSignedRun, type SignedRun, sha256 } from "./signed-texts.ts";
import { isSignedBy, keyIdOf, listPublicKeys } from "./signing-key.ts";
import { type DayHash, listDayHashes, listRuns, readInstallation, type SigningRunRow } from "./store.ts";
import type { Fault, Trusted } from "./verify-account.ts";

const MAX_NAMED = 10;

type RunFault = Pick<Fault, "day" | "why">;

/** The public keys whose id is their fingerprint. */
export async function readTrustedKeys(sql: Sql): Promise<ReadonlyMap<string, string>> {
  const keys = await listPublicKeys(sql);
  return new Map(keys.filter((key) => keyIdOf(key.public_key) === key.key_id).map((key) => [key.key_id, key.public_key]));
}

/** Verifies the chain of runs, their signatures and that each one covers exactly the signed days of its day. */
export async function verifyRuns(sql: Sql, runs: readonly SigningRunRow[], trusted: Trusted): Promise<readonly RunFault[]> {
  const { keys, anchor } = trusted;
  const faults: RunFault[] = [];
  let previous = "";
  for (const [place, row] of runs.entries()) {
    const signed = parseSignedRun(row.signed_text);
    const why =
      signed === null
        ? `the signed text of run ${row.run} cannot be read`
        : (runFault(row, signed, { keys, previous, place }) ??
          (await rootFault(await listRunDays(sql, trusted, signed.day), signed, { anchor, runHash: row.hash.toString("hex") })) ??
          (await auditFault(sql, signed)));
    if (why !== null) faults.push({ day: row.day, why });
    previous = sha256(row.signed_text).toString("hex");
  }
  return faults;
}

type Expected = { readonly keys: ReadonlyMap<string, string>; readonly previous: string; readonly place: number };

function runFault(row: SigningRunRow, signed: SignedRun, { keys, previous, place }: Expected): string | null {
  const key = keys.get(signed.key_id);
  if (key === undefined) return `run ${row.run} is signed with the unknown key ${signed.key_id}`;
  if (!isSignedBy(key, row.signed_text, row.signature)) return `the signature of run ${row.run} does not match its text`;
  if (signed.run !== place + 1 || row.run !== BigInt(place + 1)) return `run ${place + 1} is missing`;
  if (signed.previous !== previous) return `run ${row.run} does not continue the run before it`;
  const isSame = signed.day === row.day && row.hash.equals(sha256(row.signed_text)) && row.key_id === signed.key_id;
  return isSame ? null : `the columns of run ${row.run} differ from its signed text`;
}

type AnchoredRun = { readonly anchor: AnchorFile | null; readonly runHash: string };

/** The days of a cell's run: those that it has, and those of accounts that were moved to other cells since. */
async function listRunDays(sql: Sql, { cells }: Trusted, day: string): Promise<readonly DayHash[]> {
  const { cell } = await readInstallation(sql);
  const days = new Map<string, DayHash>();
  for (const own of [sql, ...cells.filter((one) => one !== sql)])
    for (const one of await listDayHashes(own, day, cell)) if (!days.has(one.account_id)) days.set(one.account_id, one);
  return [...days.values()].sort((one, other) => (one.account_id < other.account_id ? -1 : 1));
}

async function rootFault(days: readonly DayHash[], signed: SignedRun, { anchor, runHash }: AnchoredRun): Promise<string | null> {
  const tree = createMerkleTree();
  for (const day of days) tree.add(leafHash(day.hash));
  if (tree.root().toString("hex") === signed.root) return null;
  if (days.length === signed.accounts) return `run ${signed.run} covers other signed days than the database has`;
  const present = new Set(days.map((day) => day.account_id));
  const missing = anchor === null ? [] : (await listAnchoredAccounts(anchor, runHash)).filter((accountId) => !present.has(accountId));
  const named = missing.length === 0 ? "" : `: account ${missing.slice(0, MAX_NAMED).join(", ")} is missing`;
  return `run ${signed.run} covers ${signed.accounts} accounts, but the database has the signed days of ${days.length}${named}`;
}

/** The audit log must still have the entry that was its newest one when the run was made. */
async function auditFault(sql: Sql, { run, audit_seq: seq, audit_hash: hash }: SignedRun): Promise<string | null> {
  if (seq === 0) return null;
  const [entry] = await sql<{ hash: Buffer }[]>`select hash from audit_log where seq = ${BigInt(seq)}`;
  if (entry?.hash.toString("hex") === hash) return null;
  return `entry ${seq} of the audit log ${entry ? "was changed" : "was removed"} after run ${run} was signed`;
}

/** The first run, of the database or of the anchor file, whose entry of the audit log is no longer there. */
export async function findChangedSinceRun(sql: Sql, file: AnchorFile): Promise<{ readonly seq: number; readonly why: string } | null> {
  const texts = [...(await listRuns(sql)).map((run) => run.signed_text), ...(await readAnchors(file)).map((anchor) => anchor.signed)];
  for (const text of new Set(texts)) {
    const signed = parseSignedRun(text);
    const why = signed && (await auditFault(sql, signed));
    if (signed && why) return { seq: signed.audit_seq, why };
  }
  return null;
}

export type AnchorCheck = { readonly anchors: number; readonly faults: readonly RunFault[] };

/** Compares the runs with the file outside the database, which shows newest runs that were removed or signed again. */
export async function verifyAnchors(file: AnchorFile, runs: readonly SigningRunRow[]): Promise<AnchorCheck> {
  const anchors = await readAnchors(file);
  const inDatabase = new Map(runs.map((run) => [run.hash.toString("hex"), run]));
  const isGenuine = (anchor: (typeof anchors)[number]) => sha256(anchor.signed).toString("hex") === anchor.hash;
  const faults = anchors
    .filter((anchor) => !inDatabase.has(anchor.hash) || !isGenuine(anchor))
    .map((anchor): RunFault => {
      const signed = parseSignedRun(anchor.signed);
      if (signed === null || !isGenuine(anchor)) return { why: `a line of the anchor file was changed: ${anchor.hash}` };
      const isReplaced = runs.some((run) => run.day === signed.day);
      const fate = isReplaced ? "the database has another run for this day" : "the database no longer has it";
      return { day: signed.day, why: `run ${signed.run} is in the anchor file, but ${fate}: signed days were removed` };
    });
  const anchored = new Set(anchors.map((anchor) => anchor.hash));
  const lastAnchored = runs.findLastIndex((run) => anchored.has(run.hash.toString("hex")));
  const gaps = runs.slice(0, lastAnchored).filter((run) => !anchored.has(run.hash.toString("hex")));
  return {
    anchors: anchors.length,
    faults: [...faults, ...gaps.map((run) => ({ day: run.day, why: `run ${run.run} is not in the anchor file, but later runs are` }))],
  };
}
