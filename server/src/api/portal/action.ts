import type { z } from "zod";
import type * as site from "../sites/actions/action.ts";
import type { OnlyDeclared } from "../sites/actions/only-declared.ts";
import type { PortalDependencies } from "./context.ts";
import type { Role, Session } from "./session.ts";

/** The definition of one action of the portal. The portal's API, its tests and the web's types are made from it. */
export type PortalAction = site.SiteAction<PortalDependencies, Session>;

/** One call of a signed-in user. */
export type PortalCall<Input = unknown> = site.SiteCall<PortalDependencies, Session, Input>;

/** Defines an action with a JSON reply for signed-in users with certain roles. */
export function action<Input extends z.ZodType, Output extends z.ZodType, Result extends site.Reply<Output>>(
  definition: site.MemberAction<PortalDependencies, Session, readonly Role[], Input, Output, Result & OnlyDeclared<Result, Output>>,
): PortalAction {
  return definition;
}

/** Defines an action that needs no session. */
export function publicAction<Input extends z.ZodType, Output extends z.ZodType, Result extends site.Reply<Output>>(
  definition: site.PublicAction<PortalDependencies, Session, Input, Output, Result & OnlyDeclared<Result, Output>>,
): PortalAction {
  return definition;
}

/** Defines an action that sends a file or a stream of events. */
export function streamAction<Input extends z.ZodType>(
  definition: site.StreamAction<PortalDependencies, Session, readonly Role[], Input>,
): PortalAction {
  return definition;
}
