import * as site from "../sites/route.ts";
import type { Role, Session } from "./session.ts";

export type { Fault, Visit } from "../sites/route.ts";
export { fault, json } from "../sites/route.ts";
export type PortalAnswer = site.SiteAnswer;
export type PortalRoute = site.SiteRoute<Session>;
export type MemberRoute<Input = never> = site.MemberRoute<Session, Input>;

/** A call for those who are signed in, by their roles. */
export function memberRoute<Input>(route: MemberRoute<Input>): PortalRoute {
  return site.memberRoute(route);
}

export const EVERYBODY: readonly Role[] = ["owner", "developer", "operations", "read_only"];
/** Credentials, addresses, callbacks: the integration. */
export const BUILDERS: readonly Role[] = ["owner", "developer"];
/** Complaints, resends, exports: the daily work. */
export const WORKERS: readonly Role[] = ["owner", "developer", "operations"];
export const OWNERS: readonly Role[] = ["owner"];
