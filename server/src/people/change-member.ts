import type { Conflict, Done, NotFound } from "../accounts/context.ts";
import type { Transaction } from "../db/connection.ts";
import type { JsonObject } from "../kernel/strict-json.ts";
import type { PeopleContext } from "./context.ts";
import { record, userActor } from "./record.ts";
import { deleteSessions } from "./session-store.ts";
import { endInvitationsBy, lockTeam, type UserRow, updateDisabled, updateRole } from "./store.ts";
import type { Role } from "./user.ts";

export type Member = { readonly accountId: string; readonly userId: string };
export type MemberChange = { readonly role: Role } | { readonly disabled: boolean };

const LAST_OWNER: Conflict = {
  kind: "conflict",
  reason: "An account needs an active owner, and this is the last one. Make somebody else an owner first.",
};

/**
 * A change of role holds from the member's next request on; who is disabled is signed out everywhere at once. Who is an
 * owner no longer has no invitations out either: they know the links, and would come back by one.
 */
export async function changeMember(
  ctx: PeopleContext,
  actor: string,
  { accountId, userId }: Member,
  change: MemberChange,
): Promise<Done | NotFound | Conflict> {
  return await ctx.sql.begin(async (tx): Promise<Done | NotFound | Conflict> => {
    const team = await lockTeam(tx, accountId);
    const member = team.find((user) => user.user_id === userId);
    if (!member) return { kind: "not_found" };
    if (takesLastOwner(team, member, change)) return LAST_OWNER;
    const done = "role" in change ? await setRole(tx, ctx, member, change.role) : await setDisabled(tx, ctx, member, change.disabled);
    if (done) await record(tx, ctx, actor, done.action, { id: userId, accountId }, { email: member.email, ...done.details });
    return { kind: "done" };
  });
}

/** Null when it was so already. */
type Did = { readonly action: string; readonly details: JsonObject } | null;

async function setRole(tx: Transaction, ctx: PeopleContext, member: UserRow, role: Role): Promise<Did> {
  if (role === member.role) return null;
  const at = new Date(ctx.clock.now());
  await updateRole(tx, member.user_id, role, at);
  return { action: "role_changed", details: { from: member.role, to: role, ...(await endInvitations(tx, member, at)) } };
}

async function setDisabled(tx: Transaction, ctx: PeopleContext, member: UserRow, disabled: boolean): Promise<Did> {
  if (disabled === (member.disabled_at !== null)) return null;
  const at = new Date(ctx.clock.now());
  await updateDisabled(tx, member.user_id, disabled ? at : null, at);
  if (!disabled) return { action: "enabled", details: {} };
  const ended = await endInvitations(tx, member, at);
  return { action: "disabled", details: { sessions_ended: await deleteSessions(tx, member.user_id, null), ...ended } };
}

async function endInvitations(tx: Transaction, { account_id, user_id }: UserRow, at: Date): Promise<JsonObject> {
  const ended = account_id === null ? 0 : await endInvitationsBy(tx, account_id, userActor(user_id), at);
  return ended === 0 ? {} : { invitations_ended: ended };
}

function takesLastOwner(team: readonly UserRow[], member: UserRow, change: MemberChange): boolean {
  const takes = "role" in change ? change.role !== "owner" : change.disabled;
  const owners = team.filter((user) => user.role === "owner" && user.disabled_at === null);
  return takes && owners.length === 1 && owners[0]?.user_id === member.user_id;
}
