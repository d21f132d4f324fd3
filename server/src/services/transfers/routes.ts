import type { Route } from "../../gate/route.ts";
import type { TransfersContext } from "./context.ts";

/** A route may look at its context only inside its handler. */
export function transfersRoutes(_ctx: TransfersContext): readonly Route[] {
  return [];
}
