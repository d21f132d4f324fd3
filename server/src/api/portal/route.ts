import * as site from "../sites/route.ts";
import type { Role, Session } from "./session.ts";

export type { Fault, Visit } from "../sites/route.ts";
export { fault, json } from "../sites/route.ts";
export type PortalAnswer = site.SiteAnswer;
export type PortalRoute = site.SiteRoute<Session>;
export type MemberRoute<Input = never> = site.MemberRoute<Session, Input>;

/** Defines a route for signed-in users with certain roles. */
export function memberRoute<Input>(route: MemberRoute<Input>): PortalRoute {
  return site.memberRoute(route);
}

export const EVERYBODY: readonly Role[] = ["owner", "developer", "operations", "read_only"];
/** Roles that manage the integration: credentials, addresses, callbacks. */
export const BUILDERS: readonly Role[] = ["owner", "developer"];
/** Roles that raise complaints, resend callbacks and export. */
export const WORKERS: readonly Role[] = ["owner", "developer", "operations"];
export const OWNERS: readonly Role[] = ["owner"];
