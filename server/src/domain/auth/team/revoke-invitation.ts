import { withReason } from "../../accounts/account-change.ts";
import type { Done, NotFound, WithReason } from "../../accounts/context.ts";
import type { AuthContext } from "../context.ts";
import { record } from "../record.ts";
import { endInvitation, listInvitations } from "../store.ts";

export async function revokeInvitation(
  ctx: AuthContext,
  actor: string,
  { accountId, invitationId, reason }: WithReason & { readonly accountId: string | null; readonly invitationId: string },
): Promise<Done | NotFound> {
  const at = new Date(ctx.clock.now());
  return await ctx.sql.begin(async (tx): Promise<Done | NotFound> => {
    const open = await listInvitations(tx, { realm: ctx.realm, accountId }, at);
    const found = open.find((row) => row.invitation_id === invitationId);
    if (!found || !(await endInvitation(tx, invitationId, at))) return { kind: "not_found" };
    await record(tx, ctx, actor, "invitation_revoked", { id: invitationId, accountId }, withReason({ email: found.email }, reason));
    return { kind: "done" };
  });
}
