import { requireNotMoved } from "../../domain/ledger/store.ts";
import { cellOfId } from "../../platform/core/ids.ts";
import type { Queryable } from "../../platform/db/connection.ts";
import { ACCOUNT_MOVED, databaseTrouble, failure } from "../../platform/db/database-errors.ts";
import { readFrom } from "../../platform/db/servers/replica.ts";
import type { CellRule } from "./action.ts";
import type { OperatorApiDependencies, OperatorCells } from "./dependencies.ts";
import { Refusal } from "./refusal.ts";

/** What of a request decides in which cell its action runs. */
export type Addressed = {
  readonly method: string;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: object;
  readonly body: unknown;
};

/** A result and the dependencies with which it was reached. */
export type RanIn = {
  readonly result: unknown;
  readonly deps: OperatorApiDependencies;
  /** The cells whose records a merged result lacks; null for a result of one cell. */
  readonly missing: readonly number[] | null;
};

type Run = (deps: OperatorApiDependencies) => Promise<unknown>;

/** Lets a list be read from the replica of its cell. */
export function onReplica(run: Run): Run {
  return (deps) => readFrom(deps.replica?.recent()?.requests, deps.sql, (sql) => run(sql === deps.sql ? deps : { ...deps, sql }));
}

type Owners = readonly { readonly account_id: string | null }[];

/** The parameters of paths that name a record of a client, each with a query for its account. */
const RECORDS: Readonly<Record<string, (sql: Queryable, id: string) => Promise<Owners>>> = {
  order_id: (sql, id) => sql`select account_id from orders where order_id = ${id}`,
  callback_id: (sql, id) => sql`select account_id from callbacks where callback_id = ${id}`,
  complaint_ref: (sql, id) => sql`select account_id from complaints where complaint_ref = ${id}`,
  approval_id: (sql, id) => sql`select account_id from approvals where approval_id = ${id}`,
};

/**
 * Runs an action where its data is: in the account's cell, in the cell that has the record, or in every cell, whose results
 * are then merged. Everything else runs at home.
 */
export async function runInCells(home: OperatorApiDependencies, rule: CellRule | undefined, request: Addressed, run: Run): Promise<RanIn> {
  const { cells } = home;
  if (!cells) return { result: await run(home), deps: home, missing: null };
  if (typeof rule === "object") return await runInAll(home, cells, rule, request, run);
  const accountId = accountOf(request, rule);
  if (accountId !== null) return await runIn(cells, cells.ofAccount(accountId), accountId, request, run);
  if (rule === "new account") return await runIn(cells, cells.forNewAccount(), null, request, run);
  const record = Object.keys(RECORDS).find((name) => request.params[name] !== undefined);
  return record === undefined ? { result: await run(home), deps: home, missing: null } : await search(cells, record, request, run);
}

/** The account that a path names, or the body where the action says so. A ledger entry's id begins with its account. */
function accountOf({ params, body }: Addressed, rule: CellRule | undefined): string | null {
  return params["account_id"] ?? params["entry_id"]?.split("-")[0] ?? (rule === "account of body" ? accountIn(body) : null);
}

function accountIn(fields: unknown): string | null {
  const named = typeof fields === "object" && fields !== null && "account_id" in fields ? fields.account_id : null;
  return typeof named === "string" && named !== "" ? named : null;
}

async function runIn(
  cells: OperatorCells,
  deps: OperatorApiDependencies,
  accountId: string | null,
  { method }: Addressed,
  run: Run,
): Promise<RanIn> {
  if (method === "POST") await cells.prepareChange(deps);
  const result = await run(deps);
  // A change in a cell that the account has left meanwhile may not have moved along, so it is not confirmed.
  if (method === "POST" && accountId !== null) await requireNotMoved(deps.sql, accountId);
  return { result, deps, missing: null };
}

/** Tries one cell after the other until one has the record. A refusal because there is no such record changes nothing. */
async function search(cells: OperatorCells, record: string, request: Addressed, run: Run): Promise<RanIn> {
  const id = request.params[record] ?? "";
  let [first, failed]: [RanIn | null, unknown] = [null, null];
  for (const deps of cells.ofId(id)) {
    try {
      const accountId = await ownerIn(deps, record, id);
      if (!isServedHere(cells, deps, accountId, request)) {
        failed ??= failure(ACCOUNT_MOVED, `The account of ${id} was moved to another cell.`);
        continue;
      }
      const ran = await runIn(cells, deps, accountId, request, run);
      if (!(ran.result instanceof Refusal && ran.result.error === "not_found")) return ran;
      first ??= ran;
    } catch (error) {
      // The record may be in another cell that works. A change that may have been made is never tried elsewhere.
      if (request.method !== "GET" || databaseTrouble(error) === null) throw error;
      failed ??= error;
    }
  }
  if (failed !== null || first === null) throw failed;
  return first;
}

/** The account of a record that the cell has; null for one of the platform's, or if it has none. */
async function ownerIn({ sql }: OperatorApiDependencies, record: string, id: string): Promise<string | null> {
  const [row] = (await RECORDS[record]?.(sql, id)) ?? [];
  return row?.account_id ?? null;
}

/**
 * Whether the cell serves the account of a record, if it has the record. While an account is moved, its old cell has a copy
 * that will be deleted, and a change of it would be lost: there it fails until the move is over.
 */
function isServedHere(cells: OperatorCells, deps: OperatorApiDependencies, accountId: string | null, { method }: Addressed): boolean {
  if (accountId === null) return true;
  return method === "GET" ? cells.isReadIn(deps, accountId) : cells.ofAccount(accountId).sql === deps.sql;
}

/** A list shows what the cells that answer have, and says that some are missing. A sum needs all of them. */
async function runInAll(
  home: OperatorApiDependencies,
  cells: OperatorCells,
  rule: Extract<CellRule, object>,
  request: Addressed,
  run: Run,
): Promise<RanIn> {
  const accountId = accountIn(request.query);
  if (accountId !== null) return await runIn(cells, cells.ofAccount(accountId), accountId, request, run);
  const reached = cells.all();
  const all = rule.kind === "sum" ? await runAsOne(cells, reached, run) : await Promise.allSettled(reached.map(run));
  const failed = all.find((one) => one.status === "rejected");
  if (failed && (rule.kind === "sum" || databaseTrouble(failed.reason) === null)) throw failed.reason;
  const results = all.flatMap((one): readonly unknown[] => (one.status === "fulfilled" ? [one.value] : []));
  if (results.length === 0) throw failed?.reason;
  const silent = reached.filter((_, place) => all[place]?.status === "rejected").map(({ ids }) => cellOfId(ids.order(0)));
  const missing = [...new Set([...cells.missing(), ...silent])].sort((one, other) => one - other);
  if (rule.kind === "sum" && missing.length > 0) return { result: new Refusal("busy", INCOMPLETE), deps: home, missing };
  const refused = results.find((one) => one instanceof Refusal);
  return { result: refused ?? rule.merge(results as never, request.query as never), deps: home, missing };
}

const MAX_TURNS = 3;

/** Counts an account that is being moved in one cell only. If a move went on meanwhile, the cells are asked again. */
async function runAsOne(
  cells: OperatorCells,
  reached: readonly OperatorApiDependencies[],
  run: Run,
): Promise<readonly PromiseSettledResult<unknown>[]> {
  for (let turn = 1; ; turn++) {
    const moving = await cells.moving();
    const all = await Promise.allSettled(reached.map((deps) => run(moving.length === 0 ? deps : { ...deps, moving })));
    if (turn === MAX_TURNS || JSON.stringify(await cells.moving()) === JSON.stringify(moving)) return all;
  }
}

const INCOMPLETE = "A cell of the installation does not answer, and the result needs all of them. Try again later.";
