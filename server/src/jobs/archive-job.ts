import { spawn } from "node:child_process";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { beginOfKeptMonths } from "../domain/ledger/archived-months.ts";
import { claimTurn, keepTurn, returnTurn } from "../domain/reporting/claim-turn.ts";
import type { Clock } from "../platform/core/clock.ts";
import type { PeriodicJob } from "../platform/core/periodic-job.ts";
import type { Sql } from "../platform/db/connection.ts";
import { wasMoveKilled } from "../platform/db/partitions/frozen-months.ts";
import { listPartitions } from "../platform/db/partitions/read-partitions.ts";
import type { Log } from "../platform/observability/log.ts";
import type { ArchiveSchedule } from "../settings/retention-settings.ts";
import { archiveFolderFault } from "./archive-folder.ts";

export type ArchiveJobDependencies = {
  readonly schedule: ArchiveSchedule;
  /** Home's database, which records the last run. */
  readonly sql: Sql;
  /** The databases of all cells that answer. */
  readonly cells: () => readonly Sql[];
  readonly clock: Clock;
  readonly log: Pick<Log, "info" | "warn">;
  /** Ends a run when the service stops. The next run continues it. */
  readonly stopping: AbortSignal;
  /** The program of the command line, and the variables that it gets. */
  readonly command?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly keepTurnMilliseconds?: number;
};

const LOOK_MILLISECONDS = 600_000;
// After a failure. A month becomes old once a month, so otherwise there is nothing to do.
const TRY_AGAIN_MILLISECONDS = 3_600_000;

/** Moves old months to the archive, as `corprail archive move` does, in a process of its own: writing the files is long work. */
export function archiveJob(dependencies: ArchiveJobDependencies): PeriodicJob {
  return { name: "archive", everyMilliseconds: LOOK_MILLISECONDS, run: () => archiveOldMonths(dependencies) };
}

/** Returns whether a run was started: a month is old enough or was left unfinished, and no other process has just tried. */
export async function archiveOldMonths(dependencies: ArchiveJobDependencies): Promise<boolean> {
  const { schedule, sql, cells, clock, log } = dependencies;
  const now = clock.now();
  const before = beginOfKeptMonths(now, schedule.keepMonths);
  const isDue = await Promise.all(cells().map((cell) => hasWork(cell, before)));
  // Somebody may have moved the months with the command.
  if (!isDue.includes(true)) await sql`update archive_runs set failure = null where failure is not null`;
  if (!isDue.includes(true) || !(await claimTurn(sql, "archive", now, TRY_AGAIN_MILLISECONDS * 0.8))) return false;
  await sql`
    insert into archive_runs (started_at) values (${new Date(now)})
    on conflict (singleton) do update set started_at = excluded.started_at`;
  // The first run of an old installation takes hours. Another process that tried meanwhile would be refused and raise an alert.
  const keep = () => keepTurn(sql, "archive", clock.now()).catch((error: unknown) => log.warn({ err: error }, "keeping the turn failed"));
  const keeping = setInterval(() => void keep(), dependencies.keepTurnMilliseconds ?? LOOK_MILLISECONDS);
  const failure = await moveMonths(dependencies).finally(() => clearInterval(keeping));
  if (dependencies.stopping.aborted) {
    await returnTurn(sql, "archive");
    return true;
  }
  await sql`update archive_runs set ended_at = ${new Date(clock.now())}, failure = ${failure}`;
  if (failure === null) log.info({ folder: schedule.folder }, "old months moved to the archive");
  else log.warn({ folder: schedule.folder, failure }, "old months could not be moved to the archive");
  return true;
}

/** A run that was killed is finished by the next one, also if no other month is old enough. */
async function hasWork(sql: Sql, before: number): Promise<boolean> {
  return (await hasMonthsBefore(sql, before)) || (await wasMoveKilled(sql));
}

async function hasMonthsBefore(sql: Sql, milliseconds: number): Promise<boolean> {
  return [...(await listPartitions(sql)).values()].some(({ of, span }) => of.kept === "history" && span.toMilliseconds <= milliseconds);
}

const MOST_SHOWN = 500;
// On SIGTERM the command unfreezes the month that it was writing.
const STOP_MILLISECONDS = 8_000;

/** Returns why it failed, or null. */
async function moveMonths({ schedule, sql, stopping, command, environment }: ArchiveJobDependencies): Promise<string | null> {
  const given = ["archive", "move", schedule.folder, "--keep-months", String(schedule.keepMonths)];
  const fault = await archiveFolderFault(sql, schedule.folder).catch((error: unknown) => String(error));
  if (fault !== null) return fault;
  if (stopping.aborted) return "The service is stopping.";
  const child = spawn(process.execPath, [command ?? commandLine(), ...given], {
    ...{ env: environment ?? process.env, stdio: ["ignore", "ignore", "pipe"] },
  });
  let forced: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill("SIGTERM");
    forced = setTimeout(() => child.kill("SIGKILL"), STOP_MILLISECONDS);
  };
  stopping.addEventListener("abort", stop, { once: true });
  const ended = new Promise<number | null>((resolve, reject) => child.once("exit", resolve).once("error", reject));
  try {
    const [said, code] = await Promise.all([text(child.stderr), ended]);
    if (code === 0) return null;
    // Progress comes first, the reason last.
    return said.trimEnd().split("\n").at(-1)?.slice(0, MOST_SHOWN) || `The command ended with the code ${code}.`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    stopping.removeEventListener("abort", stop);
    clearTimeout(forced);
  }
}

/** The program that runs this service, or the one beside it when `npm start` runs it. */
function commandLine(): string {
  const [, program = ""] = process.argv;
  return /^corprail(?:\.[cm]?js)?$/.test(basename(program))
    ? program
    : fileURLToPath(new URL("../../../cli/bin/corprail.mjs", import.meta.url));
}
