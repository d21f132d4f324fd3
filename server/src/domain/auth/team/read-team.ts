import type { AuthContext } from "../context.ts";
import { type InvitationRow, listInvitations, listMembers, type MemberRow } from "../store.ts";

export type TeamView = { readonly members: readonly MemberRow[]; readonly invitations: readonly InvitationRow[] };

export async function readTeam(ctx: AuthContext, accountId: string | null): Promise<TeamView> {
  return {
    members: await listMembers(ctx, accountId),
    invitations: await listInvitations(ctx.sql, { realm: ctx.realm, accountId }, new Date(ctx.clock.now())),
  };
}
