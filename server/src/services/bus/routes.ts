import type { Route } from "../../gate/route.ts";
import type { BusContext } from "./context.ts";

/** A route may look at its context only inside its handler. */
export function busRoutes(_ctx: BusContext): readonly Route[] {
  return [];
}
