import { statfs } from "node:fs/promises";
import { cellName } from "@corprail/server/domain/cells/cell";
import { connect, type Sql } from "@corprail/server/platform/db/connection";
import { readApplied } from "@corprail/server/platform/db/schema/migrate";
import { type Migration, readMigrations } from "@corprail/server/platform/db/schema/read-schema";
import { incompatibility, missingFrom, newerThanKnown } from "@corprail/server/platform/db/upgrade/compatibility";
import { type Examined, examineStatements } from "@corprail/server/platform/db/upgrade/examine-statement";
import { LOCK_ATTEMPTS, LOCK_SECONDS } from "@corprail/server/platform/db/upgrade/lock-politely";
import { withDatabase } from "../shared/find-database.ts";
import { done, failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";

type Statement = Examined & { readonly bytes: number; readonly seconds: number; readonly disk_bytes: number };
type Step = Pick<Migration, "version" | "name" | "phase"> & { readonly statements: readonly Statement[] };
type Found = {
  readonly database: string;
  readonly steps: readonly Step[];
  readonly newer: number;
  readonly programs: readonly string[];
  readonly hindrances: readonly string[];
  readonly fault: string | null;
};

// Cautious figures of one core and an ordinary disk, so that a real upgrade is rather faster.
const BYTES_PER_SECOND = { none: Number.POSITIVE_INFINITY, scan: 200e6, rewrite: 50e6, index: 25e6, rows: 10e6 } as const;
/** An index is seldom larger than this share of its table. */
const INDEX_SHARE = 0.5;

/** Says what `upgrade run` would do, without doing it. */
export async function checkUpgrade(ctx: CommandContext): Promise<Outcome> {
  const known = await readMigrations();
  const home = await withDatabase(ctx, "existing", (url) => examine("home", url, known));
  const found = [home];
  for (const { cell, url } of ctx.config.cells) found.push(await examine(cellName(cell), url, known));
  const needed = Math.max(0, ...found.map(diskNeeded));
  const free = await freeBytes(ctx);
  const fault = found.find((one) => one.fault !== null)?.fault ?? null;
  const fields = { databases: found, disk_needed_bytes: needed, disk_free_bytes: free };
  const report = found.map(describe).join("\n\n");
  if (fault !== null) return failed(fault, fields, report);
  if (free !== null && free < needed * 1.2)
    return failed(`The indexes need about ${size(needed)}, and ${size(free)} are free. Free disk space first.`, fields, report);
  const steps = found.flatMap((one) => one.steps);
  const blocking = steps.flatMap(({ statements }) => statements).filter(isBlocking);
  if (steps.length === 0) return done("The database has every migration of this version. Nothing is to be done.", fields, report);
  if (blocking.length > 0)
    return done(`${steps.length} steps; ${blocking.length} statements block others while they work.`, fields, report);
  return done(`${steps.length} steps; none blocks reads or writes for longer than a moment. Run: corprail upgrade run`, fields, report);
}

async function examine(database: string, url: string, known: readonly Migration[]): Promise<Found> {
  const { sql, close } = connect({ url, connections: 1, role: null });
  try {
    const applied = await readApplied(sql);
    const steps: Step[] = [];
    for (const { version, name, phase, sql: text } of missingFrom(applied, known, true)) {
      const statements: Statement[] = [];
      for (const one of examineStatements(text)) statements.push(await measured(sql, one));
      steps.push({ version, name, phase, statements });
    }
    const newer = newerThanKnown(applied, known).length;
    return {
      database,
      steps,
      newer,
      programs: await runningPrograms(sql),
      hindrances: await hindrances(sql),
      fault: incompatibility(applied, known),
    };
  } finally {
    await close();
  }
}

async function measured(sql: Sql, statement: Examined): Promise<Statement> {
  const [row] = await sql<{ bytes: string | null }[]>`
    select sum(pg_relation_size(relid))::text as bytes from pg_partition_tree(to_regclass(${statement.table ?? ""}))`;
  const [plain] = await sql<{ bytes: string | null }[]>`select pg_relation_size(to_regclass(${statement.table ?? ""}))::text as bytes`;
  const bytes = Number(row?.bytes ?? plain?.bytes ?? 0);
  const share = statement.work === "index" ? INDEX_SHARE : statement.work === "rewrite" ? 1 : 0;
  return {
    ...statement,
    bytes,
    seconds: Math.ceil((bytes / BYTES_PER_SECOND[statement.work]) * 10) / 10,
    disk_bytes: Math.ceil(bytes * share),
  };
}

async function runningPrograms(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ host: string; pid: number; version: string | null }[]>`
    select p.host, p.pid, r.report->>'version' as version from processes p left join process_reports r using (process_id)
    where p.seen_at > now() - interval '15 seconds' order by 1, 2`;
  return rows.map(({ host, pid, version }) => `${host} (process ${pid}), version ${version ?? "unknown"}`);
}

/** What would delay a lock or a concurrent build. */
async function hindrances(sql: Sql): Promise<readonly string[]> {
  const old = await sql<{ pid: number; seconds: number; application: string }[]>`
    select pid, extract(epoch from now() - xact_start)::int as seconds, application_name as application from pg_stat_activity
    where datname = current_database() and xact_start < now() - interval '30 seconds' and pid <> pg_backend_pid() order by xact_start`;
  const invalid = await sql<{ name: string }[]>`
    select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where not i.indisvalid and c.relkind = 'i'`;
  return [
    ...old.map(({ pid, seconds, application }) => `session ${pid} (${application}) has had a transaction open for ${seconds} seconds`),
    ...invalid.map(({ name }) => `the index ${name} was not completed; the upgrade builds it again if it is one of its own`),
  ];
}

async function freeBytes({ config }: CommandContext): Promise<number | null> {
  // The disk of another machine's database is not visible from here.
  if (config.databaseUrl !== null) return null;
  const { bavail, bsize } = await statfs(config.dataFolder);
  return bavail * bsize;
}

function diskNeeded({ steps }: Found): number {
  return steps.flatMap(({ statements }) => statements).reduce((sum, one) => sum + one.disk_bytes, 0);
}

function isBlocking({ blocks, work }: Examined): boolean {
  return blocks !== "nothing" && work !== "none";
}

function describe({ database, steps, newer, programs, hindrances: found, fault }: Found): string {
  return [
    `${database}: ${steps.length === 0 ? "nothing to apply" : `${steps.length} to apply`}${newer > 0 ? `, ${newer} of a newer version` : ""}`,
    ...(fault === null ? [] : [`  ${fault}`]),
    ...steps.flatMap(({ version, name, phase, statements }) => [
      `  ${version} ${name}, ${phase}${phase === "contract" ? " (only with --contract, when no older version runs)" : ""}`,
      ...statements.map((one) => `    ${lineOf(one)}`),
    ]),
    ...programs.map((one) => `  runs now: ${one}`),
    ...found.map((one) => `  note: ${one}`),
  ].join("\n");
}

function lineOf({ text, table, lock, blocks, work, bytes, seconds, disk_bytes: disk }: Statement): string {
  const shown = text.length > 90 ? `${text.slice(0, 90)}…` : text;
  if (lock === null) return `${shown}: no lock on existing tables`;
  const wait =
    blocks === "nothing" ? "blocks nothing" : `waits at most ${LOCK_SECONDS} s for it, up to ${LOCK_ATTEMPTS} times; blocks ${blocks}`;
  const time = work === "none" ? "a moment" : `about ${seconds} s (${work} of ${size(bytes)})`;
  return `${shown}: ${lock}${table === null ? "" : ` on ${table}`}, ${wait}, for ${time}${disk > 0 ? `, needs ${size(disk)} of disk` : ""}`;
}

function size(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.ceil(bytes / 1024 / 1024)} MiB`;
}
