import { MAX_LAG_SECONDS, type Replica } from "../../../platform/db/servers/replica.ts";
import type { DatabaseServerStatus } from "../../../platform/db/servers/server-status.ts";
import type { MasterKeyState } from "../../accounts/master-key/read-master-key.ts";
import type { SigningState } from "../../signing/read-signing.ts";
import type { ProcessRow } from "./processes.ts";

export type Part = { readonly name: string; readonly state: "good" | "attention" | "bad"; readonly says: string };

type Seen = {
  readonly processes: readonly ProcessRow[];
  readonly database: DatabaseServerStatus;
  readonly databaseTrouble: string | null;
  readonly masterKey: MasterKeyState | null;
  /** Undefined if none is configured. */
  readonly replica?: Pick<Replica, "lagSeconds"> | undefined;
  readonly signing: SigningState;
};

const LONG_TRANSACTION_SECONDS = 300;
const CLOCK_MILLISECONDS = 2_000;
const FULL = 0.9;

/** The state of each part of the system, in one sentence. */
export function partsOf(seen: Seen): readonly Part[] {
  const own = [migrations(seen), processes(seen), jobs(seen), ledger(seen), signing(seen), masterKey(seen), clocks(seen)];
  return [database(seen), ...replica(seen), ...own];
}

function database({ database: { connections, maxConnections, oldestTransactionSeconds: oldest }, databaseTrouble }: Seen): Part {
  const name = "Database";
  // It may still answer reads, so that this page works.
  if (databaseTrouble !== null)
    return { name, state: "bad", says: `Clients are answered 503: ${databaseTrouble}. The service continues when this is resolved.` };
  if (connections >= maxConnections * FULL)
    return { name, state: "bad", says: `The database responds, but ${connections} of ${maxConnections} connections are in use.` };
  if (oldest !== null && oldest > LONG_TRANSACTION_SECONDS)
    return {
      name,
      state: "attention",
      says: `A transaction has been open for ${Math.floor(oldest / 60)} minutes, so vacuum cannot remove old rows.`,
    };
  return { name, state: "good", says: `The database responds. ${connections} of ${maxConnections} connections are in use.` };
}

function replica({ replica: configured }: Seen): readonly Part[] {
  if (configured === undefined) return [];
  const lag = configured.lagSeconds();
  const name = "Replica";
  const instead = "Lists and exports are read from the primary until it has caught up.";
  if (lag === null) return [{ name, state: "attention", says: `The replica does not answer or does not follow the primary. ${instead}` }];
  if (lag > MAX_LAG_SECONDS) return [{ name, state: "attention", says: `The replica is ${lag} s behind the primary. ${instead}` }];
  return [
    { name, state: "good", says: `The replica is ${lag} s behind the primary. The lists and exports of the console are read from it.` },
  ];
}

function migrations({ database: { missingMigrations: missing } }: Seen): Part {
  const name = "Migrations";
  if (missing.length > 0) return { name, state: "bad", says: `Missing: ${missing.join(", ")}.` };
  return { name, state: "good", says: "All migrations are applied." };
}

function processes({ processes: all }: Seen): Part {
  const name = "Processes";
  const alive = all.filter((one) => one.isAlive);
  const silent = all.length - alive.length;
  if (silent > 0)
    return {
      name,
      state: "attention",
      says: `${alive.length} running, ${silent} not responding. Orders of those processes are being recovered.`,
    };
  const versions = new Set(alive.flatMap(({ report }) => (report ? [report.version] : [])));
  if (versions.size > 1)
    return { name, state: "attention", says: `${alive.length} running, with versions ${[...versions].sort().join(" and ")}.` };
  return { name, state: "good", says: `${alive.length} running.` };
}

function jobs({ processes: all }: Seen): Part {
  const name = "Scheduled jobs";
  const failing = new Set(
    all.flatMap(({ isAlive, report }) => (isAlive && report ? report.jobs.filter((job) => job.failures > 0) : [])).map((job) => job.name),
  );
  if (failing.size > 0) return { name, state: "attention", says: `Failing: ${[...failing].sort().join(", ")}. They will be retried.` };
  return { name, state: "good", says: "The last run of every scheduled job succeeded." };
}

function ledger({ processes: all }: Seen): Part {
  const name = "Ledger";
  const reports = all.flatMap(({ isAlive, report }) => (isAlive && report ? [report.ledger] : []));
  const violations = Math.max(0, ...reports.map((one) => one.violations));
  if (violations > 0)
    return { name, state: "bad", says: `The continuous check found ${violations} ${violations === 1 ? "violation" : "violations"}.` };
  const checked = reports.some((one) => one.checked_at !== null);
  return { name, state: "good", says: checked ? "The continuous check found no violations." : "The continuous check has just started." };
}

function signing({ signing: { lastRun, dueDay, isBehind } }: Seen): Part {
  const name = "Ledger signing";
  const last = lastRun === null ? "No day is signed yet." : `Every day up to ${lastRun.day} is signed.`;
  if (isBehind) return { name, state: "attention", says: `${last} Days up to ${dueDay} should be.` };
  return { name, state: "good", says: lastRun === null ? "The first day will be signed ten minutes after midnight in India." : last };
}

function masterKey({ processes: all, masterKey: key }: Seen): Part {
  const name = "Master key";
  const without = all.filter(({ isAlive, report }) => isAlive && report?.missing_key_id);
  if (key === null || without.length > 0)
    return { name, state: "bad", says: `${without.map((one) => one.host).join(", ") || "This process"} does not have the master key.` };
  if (key.rotation === "running") return { name, state: "attention", says: "A rotation of the master key is running." };
  if (key.rotation === "unfinished")
    return { name, state: "attention", says: "A rotation was interrupted. Run corprail rotate-key again." };
  return { name, state: "good", says: "Every process has the master key." };
}

function clocks({ processes: all }: Seen): Part {
  const name = "Clocks";
  const wrong = all.filter(({ isAlive, report }) => isAlive && Math.abs(report?.clock_behind_milliseconds ?? 0) >= CLOCK_MILLISECONDS);
  if (wrong.length === 0) return { name, state: "good", says: "All clocks agree with the database." };
  const differences = wrong.map(
    ({ host, report }) => `${host} differs by ${Math.round(Math.abs(report?.clock_behind_milliseconds ?? 0) / 1000)} s`,
  );
  return { name, state: "attention", says: `${differences.join(", ")} from the database.` };
}
