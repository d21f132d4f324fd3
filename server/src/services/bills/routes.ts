import type { Route } from "../../gate/route.ts";
import type { BillsContext } from "./context.ts";

/** A route may look at its context only inside its handler. */
export function billsRoutes(_ctx: BillsContext): readonly Route[] {
  return [];
}
