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

/** Actors who are nobody of the staff. */
export const OTHERS: Readonly<Record<string, string>> = {
  "operator-key": "The key in CORPRAIL_OPERATOR_KEY",
  "first-run": "The first start",
  system: "The service itself",
  visitor: "Somebody who was not signed in",
};

/** Who it was, by name where the name is known here: staff have one, keys and clients' people their id. */
export function useActorNames(): (actor: string) => string {
  const { data } = useMembers(STAFF);
  return (actor) => {
    const member = data?.members.find(({ user_id }) => actor === `staff:${user_id}`);
    return member?.name ?? OTHERS[actor] ?? actor;
  };
}
