import type { Transaction } from "../../../platform/db/connection.ts";
import type { Conflict } from "../../accounts/context.ts";
import type { Realm } from "../context.ts";
import type { UserRow } from "../store.ts";
import { MANAGERS } from "../user.ts";
import { lockProvider } from "./store.ts";

/** Whether the user can manage the team with a password while the identity provider fails. */
export function isEmergency({ realm, role, break_glass, disabled_at, password_hash }: UserRow): boolean {
  return break_glass && role === MANAGERS[realm] && disabled_at === null && password_hash !== null;
}

/** Whether single sign-on is enforced and nobody else of the team, which is locked, is an emergency account. */
export async function isLastEmergency(tx: Transaction, team: readonly UserRow[], member: UserRow): Promise<boolean> {
  if (!isEmergency(member) || team.some((user) => user.user_id !== member.user_id && isEmergency(user))) return false;
  return (await lockProvider(tx, { realm: member.realm, accountId: member.account_id }))?.enforced ?? false;
}

export function lastEmergency(realm: Realm): Conflict {
  return { kind: "conflict", reason: `Single sign-on is enforced and this is the last ${MANAGERS[realm]} who is an emergency account.` };
}
