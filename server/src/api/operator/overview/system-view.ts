import type { z } from "zod";
import type { ProcessRow } from "../../../domain/reporting/system/processes.ts";
import type { System } from "../../../domain/reporting/system/read-system.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { systemOutput } from "./system-outputs.ts";

type SystemFields = z.output<typeof systemOutput>;

const DAY_MILLISECONDS = 24 * 3_600_000;

type TrialMoney = { readonly accounts: number; readonly amount: bigint };

/** `trialMoney` is the balance that accounts could spend if the installation went live now; null once it is live. */
export function systemView(system: System, trialMoney: TrialMoney | null): SystemFields {
  const { at, database, masterKey } = system;
  return {
    at: indiaDateTime(at),
    version: system.version,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    uptime_seconds: Math.floor(process.uptime()),
    process_id: system.processId,
    mode: system.mode.mode,
    mode_conflict: system.mode.conflict,
    trial_money: trialMoney && { accounts: trialMoney.accounts, amount: formatMoney(trialMoney.amount) },
    parts: system.parts,
    processes: system.processes.map((one) => processView(one, system)),
    jobs: (system.processes.find((one) => one.processId === system.processId)?.report?.jobs ?? []).map((job) => ({
      name: job.name,
      every_seconds: job.everyMilliseconds / 1000,
      ran_at: moment(job.ranAt),
      took_ms: job.tookMilliseconds,
      succeeded_at: moment(job.succeededAt),
      failures: job.failures,
      error: job.error,
    })),
    database: {
      version: database.version,
      size_bytes: database.sizeBytes,
      connections: database.connections,
      max_connections: database.maxConnections,
      oldest_transaction_seconds: database.oldestTransactionSeconds === null ? null : Math.round(database.oldestTransactionSeconds),
      migrations: database.migrations.map(({ version, name, appliedAt }) => ({ version, name, applied_at: time(appliedAt) })),
      missing_migrations: database.missingMigrations,
    },
    master_key: masterKey && {
      key_id: masterKey.keyId,
      since: time(masterKey.since),
      age_days: Math.max(0, Math.floor((at - masterKey.since.getTime()) / DAY_MILLISECONDS)),
      rotation: masterKey.rotation,
    },
    settings: system.settings,
  };
}

function processView(
  { processId, host, pid, startedAt, seenAt, isAlive, report }: ProcessRow,
  system: System,
): SystemFields["processes"][number] {
  return {
    process_id: processId,
    this_one: processId === system.processId,
    alive: isAlive,
    host,
    pid,
    started_at: time(startedAt),
    seen_at: time(seenAt),
    version: report?.version ?? null,
    node: report?.node ?? null,
    memory_bytes: report?.memory_bytes ?? null,
    ledger_violations: report?.ledger.violations ?? null,
    ledger_checked_at: moment(report?.ledger.checked_at ?? null),
    open_breakers: report?.breakers ?? null,
    clock_behind_ms: report?.clock_behind_milliseconds ?? null,
    failing_jobs: report?.jobs.filter((job) => job.failures > 0).map((job) => job.name) ?? null,
  };
}

function time(at: Date): string {
  return indiaDateTime(at.getTime());
}

function moment(milliseconds: number | null): string | null {
  return milliseconds === null ? null : indiaDateTime(milliseconds);
}
