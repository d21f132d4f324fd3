import type { DatabaseServerStatus } from "../../../platform/db/server-status.ts";
import type { MasterKeyState } from "../../accounts/read-master-key.ts";
import type { ProcessRow } from "./processes.ts";

export type Part = { readonly name: string; readonly state: "good" | "attention" | "bad"; readonly says: string };

type Seen = {
  readonly processes: readonly ProcessRow[];
  readonly database: DatabaseServerStatus;
  readonly masterKey: MasterKeyState | null;
};

const LONG_TRANSACTION_SECONDS = 300;
const CLOCK_MILLISECONDS = 2_000;
const FULL = 0.9;

/** The state of each part of the system, in one sentence. */
export function partsOf(seen: Seen): readonly Part[] {
  return [database(seen), migrations(seen), processes(seen), jobs(seen), ledger(seen), masterKey(seen), clocks(seen)];
}

function database({ database: { connections, maxConnections, oldestTransactionSeconds: oldest } }: Seen): Part {
  const name = "Database";
  if (connections >= maxConnections * FULL)
    return { name, state: "bad", says: `It answers, but ${connections} of ${maxConnections} connections are taken.` };
  if (oldest !== null && oldest > LONG_TRANSACTION_SECONDS)
    return {
      name,
      state: "attention",
      says: `A transaction has been open for ${Math.floor(oldest / 60)} minutes: nothing is tidied up meanwhile.`,
    };
  return { name, state: "good", says: `It answers; ${connections} of ${maxConnections} connections are in use.` };
}

function migrations({ database: { missingMigrations: missing, migrations: applied } }: Seen): Part {
  const name = "Migrations";
  if (missing.length > 0) return { name, state: "bad", says: `Missing: ${missing.join(", ")}.` };
  return { name, state: "good", says: `All ${applied.length} are applied.` };
}

function processes({ processes: all }: Seen): Part {
  const name = "Processes";
  const alive = all.filter((one) => one.isAlive);
  const silent = all.length - alive.length;
  if (silent > 0)
    return { name, state: "attention", says: `${alive.length} alive, ${silent} silent; what those left is being looked for.` };
  const versions = new Set(alive.flatMap(({ report }) => (report ? [report.version] : [])));
  if (versions.size > 1)
    return { name, state: "attention", says: `${alive.length} alive, of versions ${[...versions].sort().join(" and ")}.` };
  return { name, state: "good", says: `${alive.length} alive.` };
}

function jobs({ processes: all }: Seen): Part {
  const name = "Housekeeping";
  const failing = new Set(
    all.flatMap(({ isAlive, report }) => (isAlive && report ? report.jobs.filter((job) => job.failures > 0) : [])).map((job) => job.name),
  );
  if (failing.size > 0) return { name, state: "attention", says: `Failing: ${[...failing].sort().join(", ")}. They are tried again.` };
  return { name, state: "good", says: "Everything that runs by itself ran well the last time." };
}

function ledger({ processes: all }: Seen): Part {
  const name = "Ledger";
  const reports = all.flatMap(({ isAlive, report }) => (isAlive && report ? [report.ledger] : []));
  const violations = Math.max(0, ...reports.map((one) => one.violations));
  if (violations > 0)
    return { name, state: "bad", says: `The running check has found ${violations} ${violations === 1 ? "violation" : "violations"}.` };
  const checked = reports.some((one) => one.checked_at !== null);
  return { name, state: "good", says: checked ? "The running check has found nothing." : "The running check has just begun." };
}

function masterKey({ processes: all, masterKey: key }: Seen): Part {
  const name = "Master key";
  const without = all.filter(({ isAlive, report }) => isAlive && report?.missing_key_id);
  if (key === null || without.length > 0)
    return { name, state: "bad", says: `${without.map((one) => one.host).join(", ") || "This process"} does not have it.` };
  if (key.rotation === "running") return { name, state: "attention", says: "It is being replaced now." };
  if (key.rotation === "unfinished")
    return { name, state: "attention", says: "A rotation was interrupted: run corprail rotate-key again." };
  return { name, state: "good", says: "Every process has it." };
}

function clocks({ processes: all }: Seen): Part {
  const name = "Clocks";
  const wrong = all.filter(({ isAlive, report }) => isAlive && Math.abs(report?.clock_behind_milliseconds ?? 0) >= CLOCK_MILLISECONDS);
  if (wrong.length === 0) return { name, state: "good", says: "They agree with the database's." };
  const told = wrong.map(
    ({ host, report }) => `${host} differs by ${Math.round(Math.abs(report?.clock_behind_milliseconds ?? 0) / 1000)} s`,
  );
  return { name, state: "attention", says: `${told.join(", ")} from the database's.` };
}
