import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import { withReason } from "../../accounts/account-change.ts";
import type { Conflict, Done, NotFound, WithReason } from "../../accounts/context.ts";
import type { AuthContext, Realm } from "../context.ts";
import { personActor, record } from "../record.ts";
import { forgetDevices } from "../sessions/devices.ts";
import { deleteSessions } from "../sessions/session-store.ts";
import { isLastEmergency, lastEmergency } from "../single-sign-on/emergency.ts";
import { endInvitationsBy, lockTeam, type UserRow, updateDisabled, updateRole } from "../store.ts";
import { MANAGERS, type Role, type StaffRole } from "../user.ts";
import { type AccessGrant, recordAccessGrant } from "./access-grants.ts";

/** A member of an account's team, or of staff when there is no account. The reason is for the audit log. */
export type Member = WithReason & {
  readonly accountId: string | null;
  readonly userId: string;
  /** The person behind the actor, where known. */
  readonly byPerson?: string;
};
export type MemberChange = { readonly role: Role | StaffRole } | { readonly disabled: boolean };

const LAST_MANAGER: Readonly<Record<Realm, Conflict>> = {
  portal: {
    kind: "conflict",
    reason: "An account needs an active owner, and this is the last one. Give the owner role to somebody else first.",
  },
  console: {
    kind: "conflict",
    reason: "The console needs an active admin, and this is the last one. Give the admin role to somebody else first.",
  },
};

/**
 * A change of role applies from the member's next request on; a disabled member is signed out everywhere at once. The
 * invitations of a former owner are revoked, because the owner knows the links and could use one to return.
 */
export async function changeMember(
  ctx: AuthContext,
  actor: string,
  { accountId, userId, reason, byPerson = actor }: Member,
  change: MemberChange,
): Promise<Done | NotFound | Conflict> {
  return await ctx.sql.begin(async (tx): Promise<Done | NotFound | Conflict> => {
    const team = await lockTeam(tx, { realm: ctx.realm, accountId });
    const member = team.find((user) => user.user_id === userId);
    if (!member) return { kind: "not_found" };
    if (removesLastManager(team, member, change)) return LAST_MANAGER[ctx.realm];
    if (takesManager(member, change) && (await isLastEmergency(tx, team, member))) return lastEmergency(ctx.realm);
    const done = "role" in change ? await setRole(tx, ctx, member, change.role) : await setDisabled(tx, ctx, member, change.disabled);
    if (done?.why) await recordAccessGrant(tx, { realm: ctx.realm, userId, by: byPerson, why: done.why, at: new Date(ctx.clock.now()) });
    if (done) {
      const details = withReason({ email: member.email, ...done.details }, reason);
      await record(tx, ctx, actor, done.action, { id: userId, accountId }, details);
    }
    return { kind: "done" };
  });
}

type RoleChange = {
  readonly actor: string;
  /** Who configured the provider whose claim gives the role. */
  readonly byPerson: string | null;
  /** The whole team, locked. */
  readonly team: readonly UserRow[];
  readonly member: UserRow;
  readonly role: Role | StaffRole;
};

/** Gives a member the role of a sign-in, in its transaction. The last owner or admin keeps theirs. Returns the member as they are now. */
export async function changeRoleIn(tx: Transaction, ctx: AuthContext, { actor, byPerson, ...change }: RoleChange): Promise<UserRow> {
  const { team, member, role } = change;
  if (removesLastManager(team, member, { role })) return member;
  const done = await setRole(tx, ctx, member, role);
  if (!done) return member;
  const at = new Date(ctx.clock.now());
  if (done.why) await recordAccessGrant(tx, { realm: ctx.realm, userId: member.user_id, by: byPerson, why: done.why, at });
  const details = { email: member.email, ...done.details };
  await record(tx, ctx, actor, done.action, { id: member.user_id, accountId: member.account_id }, details);
  return { ...member, role };
}

/** Null when nothing changed. */
type MadeChange = {
  readonly action: string;
  readonly details: JsonObject /** What ties them to the actor. */;
  readonly why?: AccessGrant["why"];
} | null;

async function setRole(tx: Transaction, ctx: AuthContext, member: UserRow, role: Role | StaffRole): Promise<MadeChange> {
  if (role === member.role) return null;
  const at = new Date(ctx.clock.now());
  await updateRole(tx, member.user_id, role, at);
  return {
    action: "role_changed",
    why: "role_changed",
    details: { from: member.role, to: role, ...(await endInvitations(tx, member, at)) },
  };
}

async function setDisabled(tx: Transaction, ctx: AuthContext, member: UserRow, disabled: boolean): Promise<MadeChange> {
  if (disabled === (member.disabled_at !== null)) return null;
  const at = new Date(ctx.clock.now());
  await updateDisabled(tx, member.user_id, disabled ? at : null, at);
  if (!disabled) return { action: "enabled", why: "enabled", details: {} };
  const ended = await endInvitations(tx, member, at);
  await forgetDevices(tx, member.user_id);
  return { action: "disabled", details: { sessions_ended: await deleteSessions(tx, member.user_id, null), ...ended } };
}

async function endInvitations(tx: Transaction, { realm, account_id: accountId, user_id }: UserRow, at: Date): Promise<JsonObject> {
  const ended = await endInvitationsBy(tx, { realm, accountId }, personActor(realm, user_id), at);
  return ended === 0 ? {} : { invitations_ended: ended };
}

function removesLastManager(team: readonly UserRow[], member: UserRow, change: MemberChange): boolean {
  const managers = team.filter((user) => user.role === MANAGERS[member.realm] && user.disabled_at === null);
  return takesManager(member, change) && managers.length === 1 && managers[0]?.user_id === member.user_id;
}

/** Whether the member could not manage the team afterwards. */
function takesManager({ realm }: UserRow, change: MemberChange): boolean {
  return "role" in change ? change.role !== MANAGERS[realm] : change.disabled;
}
