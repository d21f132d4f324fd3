import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { get } from "../../ui/api.ts";
import type { Option } from "../../ui/field.tsx";

export type Member = {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly status: "active" | "disabled";
  readonly second_factor: boolean;
  readonly last_seen_at: string | null;
};

export type Invitation = {
  readonly invitation_id: string;
  readonly email: string;
  readonly role: string;
  readonly created_at: string;
  readonly expires_at: string;
};

type Members = { readonly members: readonly Member[]; readonly invitations: readonly Invitation[] };

/** People who work together: an account's team, or the staff. */
export type Team = {
  /** Of the list; what changes it lies below. */
  readonly path: string;
  /** Where invitations are made, when it is not below the list. */
  readonly invitations?: string;
  readonly read: (answer: unknown) => Members;
  /** The invitation's link out of the answer that made it. */
  readonly linkOf: (answer: unknown) => string;
  readonly roleNames: Readonly<Record<string, string>>;
  readonly roleMeans: Readonly<Record<string, string>>;
  readonly roleOptions: readonly Option[];
  readonly firstRole: string;
  /** Who decides about the others, as in "until … lets them in again". */
  readonly keeper: string;
  readonly nobody: string;
};

export function useMembers(team: Team) {
  return useQuery({ queryKey: [team.path], queryFn: async ({ signal }) => team.read(await get(team.path, {}, signal)) });
}

/** A change among them; the list is read again afterwards. */
export function useMembersChange<Answer, Given = void>(team: Team, work: (given: Given) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: work, onSuccess: () => queries.invalidateQueries({ queryKey: [team.path] }) });
}
