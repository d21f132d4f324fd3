import type { PeopleContext } from "./context.ts";
import { type InvitationRow, listInvitations, listMembers, type MemberRow } from "./store.ts";

export type Team = { readonly members: readonly MemberRow[]; readonly invitations: readonly InvitationRow[] };

export async function readTeam(ctx: PeopleContext, accountId: string): Promise<Team> {
  return {
    members: await listMembers(ctx, accountId),
    invitations: await listInvitations(ctx.sql, accountId, new Date(ctx.clock.now())),
  };
}
