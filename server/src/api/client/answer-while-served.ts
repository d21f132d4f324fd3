import type { Route } from "../../domain/client-api/route.ts";
import { requireNotMoved } from "../../domain/ledger/store.ts";
import type { Queryable } from "../../platform/db/connection.ts";

/**
 * Refuses the answer of a request during which the account left the cell, for example while a provider was asked: what the request
 * wrote may not have moved along, and what it read may have been deleted already. An order needs no check, because no order is
 * written in a cell that the account has left.
 */
export function answerWhileServed(route: Route, sql: Queryable): Route {
  return {
    ...route,
    handle: async (call) => {
      const answer = await route.handle(call);
      if (answer.kind !== "order") await requireNotMoved(sql, call.account.accountId);
      return answer;
    },
  };
}
