import { useMembers } from "../../auth/members/data.ts";
import type { Schemas } from "../../operator-api.ts";
import { STAFF } from "../staff/staff.ts";
import type { Named } from "./actor.ts";

export type AuditEntry = Schemas["AuditEntry"];

/** Actors that are not staff members. */
export const OTHERS: Readonly<Record<string, string>> = {
  "operator-key": "The key in CORPRAIL_OPERATOR_KEY",
  "first-run": "First start",
  system: "The service",
  visitor: "A visitor who was not signed in",
};

/** Everybody whose name is known: staff, and what is not a person. */
export function useNamedActors(): readonly Named[] {
  const { data } = useMembers(STAFF);
  const staff = (data?.members ?? []).map(({ user_id: id, name }) => ({ actor: `staff:${id}`, name }));
  return [...staff, ...Object.entries(OTHERS).map(([actor, name]) => ({ actor, name }))];
}

/** Gives the name of a staff member, or the id of any other actor. */
export function useActorNames(): (actor: string) => string {
  const known = useNamedActors();
  return (actor) => known.find((one) => one.actor === actor)?.name ?? actor.replace(/^user:/, "Portal user ");
}
