import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { get } from "../../ui/api.ts";
import type { Role } from "../session.ts";

export type Member = {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly status: "active" | "disabled";
  readonly second_factor: boolean;
  readonly last_seen_at: string | null;
};

export type Invitation = {
  readonly invitation_id: string;
  readonly email: string;
  readonly role: Role;
  readonly created_at: string;
  readonly expires_at: string;
};

type Team = { readonly members: readonly Member[]; readonly invitations: readonly Invitation[] };

export const teamQuery = queryOptions({ queryKey: ["/team"], queryFn: ({ signal }) => get<Team>("/team", {}, signal) });

/** A change of the team; the list is read again afterwards. */
export function useTeamChange<Answer, Given = void>(work: (given: Given) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: work, onSuccess: () => queries.invalidateQueries(teamQuery) });
}
