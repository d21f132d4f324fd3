import { useQuery } from "@tanstack/react-query";
import { useMembers } from "../../auth/members/data.ts";
import type { Schemas } from "../../operator-api.ts";
import { OPERATOR_KEYS, readKeys } from "../keys/key.ts";
import { ADMINS, useMay } from "../session.ts";
import { STAFF } from "../staff/staff.ts";
import { type Named, unnamed } from "./actor.ts";

export type AuditEntry = Schemas["AuditEntry"];

/** Actors that are not staff members. */
export const OTHERS: Readonly<Record<string, string>> = {
  "operator-key": "The key in CORPRAIL_OPERATOR_KEY",
  "first-run": "First start",
  system: "The service",
  visitor: "A visitor who was not signed in",
};

const NOBODY: ReadonlyMap<string, string> = new Map();

/** Everybody whose name is known: staff, operator keys for those who may list them, and what is not a person. */
export function useNamedActors(): readonly Named[] {
  const { data } = useMembers(STAFF);
  const staff = (data?.members ?? []).map(({ user_id: id, name }) => ({ actor: `staff:${id}`, name }));
  const { data: keys = [] } = useQuery({
    queryKey: [...OPERATOR_KEYS, "names"],
    queryFn: ({ signal }) => readKeys(signal),
    enabled: useMay(ADMINS),
  });
  const named = keys.map(({ key_id: id, name }) => ({ actor: `key:${id}`, name: `Operator key ${name}` }));
  return [...staff, ...named, ...Object.entries(OTHERS).map(([actor, name]) => ({ actor, name }))];
}

/** Gives the name of an actor, or its kind and id if the name is not known. `members` are names by user id. */
export function useActorNames(members: ReadonlyMap<string, string> = NOBODY): (actor: string) => string {
  const known = useNamedActors();
  return (actor) => known.find((one) => one.actor === actor)?.name ?? members.get(actor.replace(/^user:/, "")) ?? unnamed(actor);
}
