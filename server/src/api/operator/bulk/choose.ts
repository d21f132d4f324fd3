import type { z } from "zod";
import { chooseCallbacksByFilter, chooseCallbacksById } from "../../../domain/bulk/choose-callbacks.ts";
import { type Chosen, chooseOrdersByFilter, chooseOrdersById, type OrderChecks } from "../../../domain/bulk/choose-orders.ts";
import { MAX_CALLBACKS, MAX_ORDERS } from "../../../domain/bulk/selection.ts";
import { findNamedCallbacks } from "../../../domain/orders/queries/find-named-callbacks.ts";
import { isRecentlySent } from "../../../domain/orders/recovery/quiet-time.ts";
import { daysOf, NO_DAYS } from "../../sites/days.ts";
import type { Caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { filterOf } from "../orders/order-filter.ts";
import { Refusal, wrongFields } from "../refusal.ts";
import { resolveAssignee } from "../work/assignee.ts";
import { type ChosenInCells, chooseInCells } from "./choose-in-cells.ts";
import type { callbacksBody, ordersBody } from "./fields.ts";

type OrdersChoice = z.output<typeof ordersBody>;
type CallbacksChoice = z.output<typeof callbacksBody>;

const ORDERS_BY_ID = { order: "ascending", most: MAX_ORDERS } as const;
const NEWEST_ORDERS = { order: "newest first", most: MAX_ORDERS } as const;

export async function chooseOrders(
  deps: OperatorApiDependencies,
  caller: Caller,
  action: "requery" | "settle",
  choice: OrdersChoice,
): Promise<ChosenInCells | Refusal> {
  const limits = choice.filter ? NEWEST_ORDERS : ORDERS_BY_ID;
  return await chooseInCells(deps, choice.filter?.account_id ?? null, limits, (cell) => chooseOrdersOfCell(cell, caller, action, choice));
}

async function chooseOrdersOfCell(
  deps: OperatorApiDependencies,
  caller: Caller,
  action: "requery" | "settle",
  { order_ids, filter }: OrdersChoice,
): Promise<Chosen | Refusal> {
  const checks: OrderChecks = {
    isRunning: (provider) => action === "settle" || Boolean(deps.providerRegistry.connector(provider)),
    isRecentlySent: (order, poll) => action === "settle" && isRecentlySent(deps, order, poll),
  };
  if (order_ids || !filter) return await chooseOrdersById(deps.sql, order_ids ?? [], caller.mode, checks);
  const now = deps.clock.now();
  const days = daysOf(filter, now);
  if (days === null) return wrongFields(NO_DAYS);
  const assignedTo = resolveAssignee(caller, filter.assigned_to);
  if (assignedTo instanceof Refusal) return assignedTo;
  return await chooseOrdersByFilter(deps.sql, { ...filterOf(filter, caller.mode, days, now), assignedTo }, now, checks);
}

export async function chooseCallbacks(
  deps: OperatorApiDependencies,
  caller: Caller,
  choice: CallbacksChoice,
): Promise<ChosenInCells | Refusal> {
  const limits = { order: "ascending", most: MAX_CALLBACKS } as const;
  return await chooseInCells(deps, choice.filter?.account_id ?? null, limits, (cell) => chooseCallbacksOfCell(cell, caller, choice));
}

async function chooseCallbacksOfCell(deps: OperatorApiDependencies, { mode }: Caller, choice: CallbacksChoice): Promise<Chosen> {
  const { callback_ids: ids, filter } = choice;
  if (ids || !filter) return await chooseCallbacksById(deps.sql, ids ?? [], mode);
  const { account_id: accountId = null, state = null, kind, search, since, until } = filter;
  const named = search === undefined ? undefined : await findNamedCallbacks(deps.sql, search, accountId);
  return await chooseCallbacksByFilter(deps.sql, { accountId, mode, state, kind, named, since, until });
}
