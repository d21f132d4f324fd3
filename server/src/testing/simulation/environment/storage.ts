import { readFile } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";
import { readMigrations, SCHEMA_FOLDER } from "../../../platform/db/schema/read-schema.ts";
import { type Answer, closeStatement, preparedNames, readAnswer, SYNC, simpleQuery, type Unit } from "./wire.ts";

/** A connection as the server sees it. */
export type Session = {
  readonly id: number;
  role: string | null;
  readonly waiting: Unit[];
  readonly prepared: string[];
  isOpen: boolean;
};

const ROLE = "corprail_app";

/**
 * PostgreSQL in this process, with the service's own schema. It has one session, so the sessions of the simulation take turns:
 * while one is inside a transaction, the others wait, as they would for a lock that covers everything.
 */
export class Storage {
  readonly #database: PGlite;
  #holder: Session | null = null;
  #role: string | null = null;
  #emptied: readonly string[] = [];

  private constructor(database: PGlite) {
    this.#database = database;
  }

  /** A storage with an empty schema. Opening a snapshot of one takes a tenth of the time. */
  static async create(snapshot?: Blob): Promise<Storage> {
    const database = new PGlite(snapshot && { loadDataDir: snapshot });
    await database.waitReady;
    const storage = new Storage(database);
    if (!snapshot) await storage.#createSchema();
    storage.#emptied = storage.#tablesToEmpty();
    return storage;
  }

  async #createSchema(): Promise<void> {
    // The migrator's own table, whose rights privileges.sql sets too.
    this.execute("create table schema_migrations (version integer primary key)");
    for (const migration of await readMigrations()) this.execute(migration.sql);
    this.execute(`create role ${ROLE} nologin; grant ${ROLE} to postgres`);
    this.execute(await readFile(`${SCHEMA_FOLDER}/privileges.sql`, "utf8"));
  }

  /** A copy for `create`. */
  async snapshot(): Promise<Blob> {
    // Otherwise PostgreSQL would start a timer while it recovers from the copy, and it would end in real time, amid a simulation.
    this.execute("alter system set log_startup_progress_interval = 0");
    return this.#database.dumpDataDir("none");
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** Removes everything that an earlier run has written. */
  reset(): void {
    this.#holder = null;
    this.execute("rollback");
    this.execute("deallocate all");
    this.execute(`truncate ${this.#emptied.join(", ")}`);
    this.execute("update audit_head set seq = 0, hash = ''");
  }

  /** Whether no session is inside a transaction, so that a query of the simulation sees committed data only. */
  isFree(): boolean {
    return this.#holder === null;
  }

  /** A session other than this one is inside a transaction. */
  isTaken(session: Session): boolean {
    return this.#holder !== null && this.#holder !== session;
  }

  /** Runs one unit of a session. Must not be called while the storage is taken. */
  run(session: Session, unit: Unit): { readonly bytes: Buffer; readonly answer: Answer } {
    if (this.#holder === null) this.#take(session.role);
    session.prepared.push(...preparedNames(unit.bytes));
    const bytes = this.#send(unit.bytes);
    const answer = readAnswer(bytes);
    this.#holder = answer.status === "I" ? null : session;
    return { bytes, answer };
  }

  /** Ends a session as the server does when its connection is lost. */
  end(session: Session): void {
    if (!session.isOpen) return;
    session.isOpen = false;
    session.waiting.length = 0;
    if (this.#holder === session) {
      this.#send(SYNC);
      this.#send(simpleQuery("rollback"));
      this.#holder = null;
    }
    if (this.#holder === null && session.prepared.length > 0) this.#send(Buffer.concat([...session.prepared.map(closeStatement), SYNC]));
  }

  /** Runs statements as the owner of the database, between transactions. */
  execute(sql: string): readonly (readonly (string | null)[])[] {
    this.#take(null);
    const answer = readAnswer(this.#send(simpleQuery(sql)), true);
    if (answer.error !== null) throw new Error(`The statement failed: ${answer.error}\n${sql.slice(0, 400)}`);
    return answer.rows;
  }

  /** Replaces a text in one of the schema's functions, which must contain it. */
  async replaceInFunction(file: string, from: string, to: string): Promise<void> {
    const source = await readFile(`${SCHEMA_FOLDER}/functions/${file}`, "utf8");
    if (!source.includes(from)) throw new Error(`${file} does not contain "${from}".`);
    this.execute(source.replace(from, to).replaceAll(/^create function/gm, "create or replace function"));
  }

  async restoreFunction(file: string): Promise<void> {
    await this.replaceInFunction(file, "create function", "create function");
  }

  #take(role: string | null): void {
    if (role === this.#role) return;
    this.#send(simpleQuery(role === null ? "reset role" : `set role ${role}`));
    this.#role = role;
  }

  #send(bytes: Buffer): Buffer {
    const { setTimeout: realTimeout } = globalThis;
    // PostgreSQL sets timers of its own, which must not count as events of the simulation.
    Object.assign(globalThis, { setTimeout: () => 0 });
    try {
      return Buffer.from(this.#database.execProtocolRawSync(bytes));
    } finally {
      Object.assign(globalThis, { setTimeout: realTimeout });
    }
  }

  /** The tables that are empty in a new database. The others hold data of the schema itself. */
  #tablesToEmpty(): readonly string[] {
    const names = this.execute("select tablename from pg_tables where schemaname = 'public' order by 1").map(([name]) => name ?? "");
    return names.filter((name) => this.execute(`select 1 from ${name} limit 1`).length === 0);
  }
}
