import type { GateContext } from "../api/client/gate/gate.ts";
import type { AccountDirectory } from "../domain/accounts/directory.ts";
import type { CallLog } from "../domain/api-log/call-log.ts";
import type { AccountCells } from "../domain/cells/account-cells.ts";
import { cellName } from "../domain/cells/cell.ts";
import { cellOfId, HOME_CELL } from "../platform/core/ids.ts";
import { ACCOUNT_MOVED, failure } from "../platform/db/database-errors.ts";
import type { DatabaseHealth } from "../platform/db/servers/health.ts";
import type { Cell } from "./cell.ts";

/** The cells of this process. A cell that could not be reached since the start is missing until it answers. */
export type Cells = {
  readonly home: Cell;
  /** The cells that have been reached by their numbers, home first: in the same order in every process. */
  readonly all: () => readonly Cell[];
  readonly add: (cell: Cell) => void;
  /** The cell of an account. Throws a database error while it is missing, or the account is being moved. */
  readonly ofAccount: (accountId: string) => Cell;
  /** The same; null instead of an error. */
  readonly find: (accountId: string) => Cell | null;
  /** The cells in which an account or a record with this id may be: first the account's own, or the one that made the id. */
  readonly ofId: (id: string) => readonly Cell[];
  /** Where a new account goes: the working cell with the fewest accounts. */
  readonly forNewAccount: () => Cell;
  /** Why configured cells cannot be used, by cell; empty if all work. */
  readonly troubles: () => readonly (readonly [cell: number, trouble: string])[];
};

type Options = { readonly home: Cell; readonly configured: readonly number[]; readonly accountCells: AccountCells };

const KNOWN_MILLISECONDS = 2_000;

export function createCells({ home, configured, accountCells }: Options): Cells {
  const cells = new Map<number, Cell>([[HOME_CELL, home]]);
  let sorted: readonly Cell[] = [home];
  const all = () => sorted;
  // New accounts are counted when the change feed brings them. Those of the last moment are remembered here.
  const chosen: { readonly cell: number; readonly at: number }[] = [];
  const missing = () => configured.filter((cell) => !cells.has(cell));
  return {
    home,
    all,
    add: (cell) => {
      cells.set(cell.cell, cell);
      sorted = [...cells.values()].sort((one, other) => one.cell - other.cell);
    },
    ofAccount: (accountId) => {
      if (accountCells.isHeld(accountId)) throw failure(ACCOUNT_MOVED, `The account ${accountId} is being moved to another cell.`);
      const number = accountCells.cellOf(accountId);
      const cell = cells.get(number);
      if (cell?.hasLeft(accountId)) throw failure(ACCOUNT_MOVED, `The account ${accountId} has left ${cellName(number)}.`);
      if (cell) return cell;
      throw failure("CONNECTION_NO_LEADER", `The database of ${cellName(number)} has not answered since this process started.`);
    },
    find: (accountId) => {
      const cell = cells.get(accountCells.cellOf(accountId));
      return cell && !accountCells.isHeld(accountId) && !cell.hasLeft(accountId) ? cell : null;
    },
    ofId: (id) => {
      const own = cells.get(accountCells.cellOf(id) || cellOfId(id)) ?? home;
      return [own, ...all().filter((cell) => cell !== own)];
    },
    forNewAccount: () => {
      const counts = accountCells.counts();
      const sizeOf = ({ cell, directory }: Cell) =>
        (cell === HOME_CELL ? directory.size() : (counts.get(cell) ?? 0)) + chosen.filter((one) => one.cell === cell).length;
      const working = all().filter(({ database }) => !database.health.isAway());
      while (chosen[0] && chosen[0].at < performance.now() - KNOWN_MILLISECONDS) chosen.shift();
      const least = working.reduce((best, cell) => (sizeOf(cell) < sizeOf(best) ? cell : best), working[0] ?? home);
      chosen.push({ cell: least.cell, at: performance.now() });
      return least;
    },
    troubles: () => [
      ...all().flatMap(({ cell, database }): readonly (readonly [number, string])[] => {
        const trouble = database.health.trouble();
        return trouble === null ? [] : [[cell, trouble]];
      }),
      ...missing().map((cell) => [cell, "the database has not answered since this process started"] as const),
    ],
  };
}

/** All accounts of the installation. In a move an account is in two databases for a while, and only its own cell's row counts. */
export function directoryOfCells(cells: Cells, accountCells: AccountCells): AccountDirectory {
  const isOwn = (cell: Cell, { accountId }: { readonly accountId: string }) => accountCells.cellOf(accountId) === cell.cell;
  const findToken = (text: string) =>
    first(cells.all(), (cell) => {
      const token = cell.directory.findToken(text);
      return token && isOwn(cell, token.account) ? token : null;
    });
  return {
    findToken,
    byToken: (token) => findToken(token)?.account ?? null,
    byId: (accountId) =>
      first(cells.all(), (cell) => {
        const account = cell.directory.byId(accountId);
        return account && isOwn(cell, account) ? account : null;
      }),
    size: () => cells.all().reduce((sum, { directory }) => sum + directory.size(), 0),
    reload: async (accountIds) => void (await Promise.all(cells.all().map(({ directory }) => directory.reload(accountIds)))),
  };
}

function first<Found>(cells: readonly Cell[], find: (cell: Cell) => Found | null): Found | null {
  for (const cell of cells) {
    const found = find(cell);
    if (found) return found;
  }
  return null;
}

/** The service is down when no cell works. A cell that is down stalls its own accounts only. */
export function healthOfCells(cells: Cells): Pick<DatabaseHealth, "isAway" | "trouble" | "confirm"> {
  const trouble = () => {
    const isDown = cells.all().every(({ database }) => database.health.trouble() !== null);
    return isDown ? inWords(cells.troubles()) : null;
  };
  return {
    isAway: () => cells.all().every(({ database }) => database.health.isAway()),
    trouble,
    confirm: async () => {
      const found = await Promise.all(cells.all().map(async ({ cell, database }) => [cell, await database.health.confirm()] as const));
      return found.some(([, reason]) => reason === null) ? null : (trouble() ?? inWords(found));
    },
  };
}

function inWords(troubles: readonly (readonly [cell: number, trouble: string | null])[]): string {
  return troubles.map(([cell, trouble]) => `${cellName(cell)}: ${trouble}`).join("; ");
}

/** Budgets and nonces are counted in the account's cell. */
export function admissionOfCells(cells: Cells): GateContext["admission"] {
  const of = (accountId: string) => cells.ofAccount(accountId).admission;
  return {
    admit: async (arrival) => await of(arrival.accountId).admit(arrival),
    isOver: (arrival) => cells.find(arrival.accountId)?.admission.isOver(arrival) ?? true,
    ahead: (accountId) => of(accountId).ahead(accountId),
    waitSeconds: (accountId) => of(accountId).waitSeconds(accountId),
    stalledMilliseconds: () => 0,
  };
}

/** The log of client API requests, in the account's cell. */
export function callLogOfCells(cells: Cells): Pick<CallLog, "record"> {
  return { record: (call) => cells.find(call.account.accountId)?.callLog.record(call) };
}

// A change at home applies to other cells' accounts as soon as home answers. If it is down, nobody can change anything there.
const HOME_PATIENCE_MILLISECONDS = 300;

/** Prepares memory for a request with this token: waits until the settings are recent, or says that the account's cell is down. */
export function freshnessOfCells(cells: Cells, directory: AccountDirectory): NonNullable<GateContext["ensureFreshFor"]> {
  return (token) => {
    const account = directory.byToken(token);
    if (!account) return isBetweenCells(cells, token) ? Promise.resolve("away") : freshenAll(cells);
    const cell = cells.find(account.accountId);
    if (cell === null || cell.database.health.isAway()) return Promise.resolve("away");
    const own = cell.feed.ensureFresh();
    const home = cell === cells.home || cells.home.database.health.isAway() ? undefined : cells.home.feed.ensureFresh();
    if (!own && !home) return undefined;
    return Promise.all([own, home && patiently(home)]).then(() => undefined);
  };
}

/** Right after a move, this process may know the account in its old cell only. */
function isBetweenCells(cells: Cells, token: string): boolean {
  return cells.all().some(({ directory }) => directory.byToken(token) !== null);
}

/** An unknown token may be of an account that was made a moment ago, or of a cell that does not answer. */
function freshenAll(cells: Cells): Promise<"away" | undefined> | undefined {
  if (cells.troubles().length > 0) return Promise.resolve("away");
  const stale = cells.all().flatMap(({ feed }) => feed.ensureFresh() ?? []);
  return stale.length === 0 ? undefined : Promise.all(stale).then(() => undefined);
}

async function patiently(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, HOME_PATIENCE_MILLISECONDS);
  });
  // The error of a home that is down is logged by its own feed.
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}
