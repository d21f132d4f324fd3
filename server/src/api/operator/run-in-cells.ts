import { cellOfId } from "../../platform/core/ids.ts";
import { databaseTrouble } from "../../platform/db/database-errors.ts";
import { readFrom } from "../../platform/db/replica.ts";
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

// The parameters of paths that name a record of a client.
const RECORDS = ["order_id", "callback_id", "complaint_ref", "approval_id"] as const;

/**
 * Runs an action where its data is: in the account's cell, in the cell that has the record, or in every cell, whose results
 * are then merged. Everything else runs at home.
 */
export async function runInCells(home: OperatorApiDependencies, rule: CellRule | undefined, request: Addressed, run: Run): Promise<RanIn> {
  const { cells } = home;
  if (!cells) return { result: await run(home), deps: home, missing: null };
  if (typeof rule === "object") return await runInAll(home, cells, rule, request, run);
  const accountId = accountOf(request, rule);
  if (accountId !== null) return await runIn(cells, cells.ofAccount(accountId), request, run);
  if (rule === "new account") return await runIn(cells, cells.forNewAccount(), request, run);
  const record = RECORDS.flatMap((name) => request.params[name] ?? [])[0];
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

async function runIn(cells: OperatorCells, deps: OperatorApiDependencies, { method }: Addressed, run: Run): Promise<RanIn> {
  if (method === "POST") await cells.prepareChange(deps);
  return { result: await run(deps), deps, missing: null };
}

/** Tries one cell after the other until one has the record. A refusal because there is no such record changes nothing. */
async function search(cells: OperatorCells, id: string, request: Addressed, run: Run): Promise<RanIn> {
  let [first, failure]: [RanIn | null, unknown] = [null, null];
  for (const deps of cells.ofId(id)) {
    try {
      const ran = await runIn(cells, deps, request, run);
      if (!(ran.result instanceof Refusal && ran.result.error === "not_found")) return ran;
      first ??= ran;
    } catch (error) {
      // The record may be in another cell that works. A change that may have been made is never tried elsewhere.
      if (request.method !== "GET" || databaseTrouble(error) === null) throw error;
      failure ??= error;
    }
  }
  if (failure !== null || first === null) throw failure;
  return first;
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
  if (accountId !== null) return await runIn(cells, cells.ofAccount(accountId), request, run);
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
