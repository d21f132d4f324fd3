import { untilMultipleOf } from "../../core/until-multiple.ts";
import type { Log } from "../../observability/log.ts";
import { type ConnectionOptions, connect, type Sql } from "../connection.ts";
import { type ClockReading, startReading } from "../database-clock.ts";
import { type DatabaseTrouble, databaseTrouble } from "../database-errors.ts";
import { readMigrations } from "../schema/read-schema.ts";

/** Whether the database accepts writes. */
export type DatabaseHealth = {
  /** What is wrong as of the last check, in words for staff; null if the database works. It costs nothing and never waits. */
  readonly trouble: () => string | null;
  /**
   * The same as of now: the database must answer once more, within two seconds. While a check waits for its commit, that
   * check decides.
   */
  readonly confirm: () => Promise<string | null>;
  /** True while the database is unavailable: requests are then refused at once. */
  readonly isAway: () => boolean;
  /** Each check also reads the database's clock. */
  readonly onReading: (listener: (reading: ClockReading) => void) => void;
  readonly close: () => Promise<void>;
};

export type HealthOptions = Omit<ConnectionOptions, "connections" | "purpose"> & {
  readonly log: Pick<Log, "info" | "error">;
  /** Why the embedded PostgreSQL is not running; null if it runs or there is none. */
  readonly embeddedTrouble?: () => string | null;
  /** For how long work has waited without any commit. */
  readonly stalledMilliseconds?: () => number;
};

export const DISK_FULL = "disk full: the database has no space left";
export const NO_ANSWER = "the database does not answer";
export const READ_ONLY = "the database is read-only";

const WORDS: Readonly<Record<DatabaseTrouble, string>> = {
  away: NO_ANSWER,
  outdated: "the database server was replaced by another one before and lacks commits",
  "read only": READ_ONLY,
  "disk full": DISK_FULL,
  overloaded: "the database has no connection or memory left",
  locked: "the database's tables are locked",
  "too slow": NO_ANSWER,
};

const CHECK_MILLISECONDS = 1_000;
const RECHECK_MILLISECONDS = 300;
const ANSWER_MILLISECONDS = 2_000;
// Slow disks need time to commit.
const COMMIT_MILLISECONDS = 4_000;
const STALLED_MILLISECONDS = 5_000;
const DISK_FULL_MILLISECONDS = 5_000;

type Stage = { name: "answer" | "commit" | "done"; since: number };

/** Checks periodically, on a separate connection, whether the database answers, accepts writes and commits them. */
export function watchHealth(options: HealthOptions): DatabaseHealth {
  const database = connect({ url: options.url, role: options.role, connections: 1, purpose: "batches" });
  // A contraction may be applied long after the start.
  const needed = readMigrations().then((all) => all.filter(({ phase }) => phase !== "contract").map(({ version }) => version));
  let found: Found = { trouble: null, isUnmigrated: false };
  let stage: Stage = { name: "done", since: 0 };
  let said: string | null = null;
  let isConnected = false;
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;
  let saying: NodeJS.Timeout | undefined;
  const question = sharedQuestion(database.sql, (error) => {
    found = afterError(found, error);
  });
  const listeners: ((reading: ClockReading) => void)[] = [];
  const noteReading = (reading: ClockReading) => {
    for (const listener of listeners) listener(reading);
  };

  const away = () => options.embeddedTrouble?.() ?? lateness(stage) ?? found.trouble;

  function trouble(): string | null {
    const reason = away();
    if (reason !== null) return reason;
    if (performance.now() - database.diskFullAt() < DISK_FULL_MILLISECONDS) return DISK_FULL;
    if ((options.stalledMilliseconds?.() ?? 0) > STALLED_MILLISECONDS) return "nothing is committed: waiting writes are blocked by locks";
    return found.isUnmigrated ? "migrations are missing" : null;
  }

  async function confirm(): Promise<string | null> {
    if (trouble() !== null) return trouble();
    // The answer waits behind the commit of a running check, which may take longer.
    const isAnswered = (await endsWithin(question(), ANSWER_MILLISECONDS)) || stage.name === "commit";
    return trouble() ?? (isAnswered ? null : NO_ANSWER);
  }

  function say(): void {
    const now = trouble();
    // Closing interrupts a check, which says nothing about the database.
    if (now === said || isClosing) return;
    if (now === null) options.log.info({ was: said }, "database accepts writes again");
    else options.log.error({ reason: now }, "service not ready");
    said = now;
  }

  async function look(): Promise<void> {
    const enter = (name: Stage["name"]) => {
      stage = { name, since: performance.now() };
    };
    // A check that hangs is reported before it ends.
    saying = setInterval(say, RECHECK_MILLISECONDS).unref();
    const examination = { isConnected, enter, noteReading };
    isConnected = false;
    found = await examine(database.sql, examination, await needed).catch((error: unknown) => afterError(found, error));
    isConnected = found.trouble === null;
    enter("done");
    clearInterval(saying);
    say();
    if (found.trouble === READ_ONLY) database.recycle();
    timer = setTimeout(look, found.trouble === null ? untilMultipleOf(CHECK_MILLISECONDS) : RECHECK_MILLISECONDS).unref();
  }

  void look();
  return {
    trouble,
    confirm,
    isAway: () => away() !== null,
    onReading: (listener) => void listeners.push(listener),
    close: async () => {
      isClosing = true;
      clearInterval(saying);
      await database.close();
      clearTimeout(timer);
    },
  };
}

type Examination = {
  /** The check before this one succeeded. */
  readonly isConnected: boolean;
  readonly enter: (stage: Stage["name"]) => void;
  readonly noteReading: (reading: ClockReading) => void;
};
type Found = { readonly trouble: string | null; readonly isUnmigrated: boolean };

// A lock on the tables of this check says nothing about other tables.
function afterError(before: Found, error: unknown): Found {
  const kind = databaseTrouble(error);
  return kind === "locked" ? before : { ...before, trouble: WORDS[kind ?? "away"] };
}

/** Asks the database whether it answers. Concurrent callers share one question, because anybody may ask often. */
function sharedQuestion(sql: Sql, onError: (error: unknown) => void): () => Promise<void> {
  let asked: Promise<void> | null = null;
  return () => {
    asked ??= sql`select`
      .then(() => {}, onError)
      .finally(() => {
        asked = null;
      });
    return asked;
  };
}

function endsWithin(work: Promise<void>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, false);
    void work.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

function lateness({ name, since }: Stage): string | null {
  if (name === "done") return null;
  const late = performance.now() - since;
  if (name === "answer") return late > ANSWER_MILLISECONDS ? WORDS.away : null;
  return late > COMMIT_MILLISECONDS ? "the database does not commit" : null;
}

/** Checks that the database answers, accepts writes and commits a transaction. */
async function examine(sql: Sql, { isConnected, enter, noteReading }: Examination, needed: readonly number[]): Promise<Found> {
  enter("answer");
  const finishReading = startReading();
  const answer = sql<{ read_only: boolean; migrations: readonly number[]; now: Date }[]>`
    select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as read_only,
      array(select version from schema_migrations) as migrations, clock_timestamp() as now`.execute();
  // Writes to the WAL and waits for the disk and synchronous standbys like any commit, but changes no table.
  const send = () => sql`select pg_logical_emit_message(true, 'corprail', '')`.execute();
  // On a connection that works it is sent along, which saves an idle process a wake-up. Its error counts only if the database
  // has answered that it accepts writes.
  const early = isConnected ? send() : null;
  early?.catch(() => {});
  const [row] = await answer;
  const isUnmigrated = needed.some((version) => !row?.migrations.includes(version));
  if (row?.read_only) return { trouble: READ_ONLY, isUnmigrated };
  if (row) noteReading(finishReading(row.now));
  enter("commit");
  await (early ?? send());
  return { trouble: null, isUnmigrated };
}
