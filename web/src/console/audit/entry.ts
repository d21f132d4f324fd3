import { useMembers } from "../../auth/members/data.ts";
import { STAFF } from "../staff/staff.ts";

export type AuditEntry = {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly hash: string;
};

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
    return member?.name ?? OTHERS[actor] ?? actor;
  };
}
