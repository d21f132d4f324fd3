import { moneyOf } from "../../platform/core/money.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { type AccountMode, ofMode } from "../accounts/account-mode.ts";
import { type CallbackQuery, type CallbackRow, listCallbacks, readCallback } from "../callbacks/queries/read-callbacks.ts";
import { stateOf } from "../orders/order.ts";
import type { Chosen } from "./choose-orders.ts";
import { type FoundItem, MAX_CALLBACKS } from "./selection.ts";

const UNKNOWN = "There is no such callback in this mode.";
const OUTDATED = "The order's status has changed since the callback.";
const NOT_SENT = {
  parked: "The account has no URL for it.",
  paused: "The account's callbacks are paused.",
} as const;

/** Callbacks by their ids. */
export async function chooseCallbacksById(sql: Sql, callbackIds: readonly string[], mode: AccountMode | null): Promise<Chosen> {
  const ids = [...new Set(callbackIds)];
  const found = await Promise.all(ids.map(async (id) => ({ id, row: await readCallback(sql, id) })));
  const accounts = found.flatMap(({ row }) => row?.account_id ?? []);
  const allowed = await sql<{ account_id: string }[]>`
    select a.account_id from accounts a where a.account_id = any(${accounts}::text[]) and ${ofMode(sql, "a.account_id", mode)}`;
  const inMode = new Set(allowed.map((row) => row.account_id));
  const rows = found.flatMap(({ row }) => (row !== null && inMode.has(row.account_id) ? [row] : []));
  const known = new Set(rows.map((row) => row.callback_id));
  const missing = ids
    .filter((id) => !known.has(id))
    .map((itemId) => ({ accountId: "", itemId, amount: moneyOf(0n), attempt: null, skip: UNKNOWN }));
  return { candidates: [...(await toCandidates(sql, rows)), ...missing], hasMore: false };
}

/** Callbacks that match a filter and a window of time, the oldest first. */
export async function chooseCallbacksByFilter(sql: Sql, query: Omit<CallbackQuery, "before" | "limit">): Promise<Chosen> {
  const rows = await listCallbacks(sql, { ...query, before: null, limit: MAX_CALLBACKS + 1 });
  const chosen = rows.slice(0, MAX_CALLBACKS).toReversed();
  return { candidates: await toCandidates(sql, chosen), hasMore: rows.length > MAX_CALLBACKS };
}

async function toCandidates(sql: Sql, rows: readonly CallbackRow[]): Promise<readonly FoundItem[]> {
  const states = await readOrderStates(sql, rows);
  return rows.map((row) => ({
    accountId: row.account_id,
    itemId: row.callback_id,
    amount: moneyOf(0n),
    attempt: null,
    skip: skipOf(row, states.get(row.order_id) ?? null),
  }));
}

async function readOrderStates(sql: Sql, rows: readonly CallbackRow[]): Promise<ReadonlyMap<string, string>> {
  const found = await sql<{ order_id: string; state: number }[]>`
    select o.order_id, o.state from unnest(${rows.map((row) => row.account_id)}::text[], ${rows.map((row) => row.order_id)}::text[])
      as i (account_id, order_id)
    cross join lateral (
      select o.order_id, o.state from orders o where o.account_id = i.account_id and o.order_id = i.order_id offset 0) o`;
  return new Map(found.map((row) => [row.order_id, stateOf(row.state)]));
}

function skipOf(row: CallbackRow, orderState: string | null): string | null {
  if (row.state === "parked" || row.state === "paused") return NOT_SENT[row.state];
  return row.kind === "status" && orderState !== null && orderState !== row.status ? OUTDATED : null;
}
