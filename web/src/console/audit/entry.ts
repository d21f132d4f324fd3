import { useMembers } from "../../auth/members/data.ts";
import type { Schemas } from "../../operator-api.ts";
import { STAFF } from "../staff/staff.ts";

export type AuditEntry = Schemas["AuditEntry"];

/** Actors that are not staff members. */
export const OTHERS: Readonly<Record<string, string>> = {
  "operator-key": "The key in CORPRAIL_OPERATOR_KEY",
  "first-run": "First start",
  system: "The service",
  visitor: "A visitor who was not signed in",
};

/** Gives the name of a staff member, or the id of any other actor. */
export function useActorNames(): (actor: string) => string {
  const { data } = useMembers(STAFF);
  return (actor) => {
    const member = data?.members.find(({ user_id }) => actor === `staff:${user_id}`);
    return member?.name ?? OTHERS[actor] ?? actor.replace(/^user:/, "Portal user ");
  };
}
