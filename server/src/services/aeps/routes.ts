import type { Route } from "../../gate/route.ts";
import type { AepsContext } from "./context.ts";

/** A route may look at its context only inside its handler. */
export function aepsRoutes(_ctx: AepsContext): readonly Route[] {
  return [];
}
