import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../portal-api.ts";
import { get } from "../../ui/api.ts";
import type { Option } from "../../ui/field.tsx";

export type Member = Schemas["Member"];
export type Invitation = Schemas["Invitation"];

type Members = { readonly members: readonly Member[]; readonly invitations: readonly Invitation[] };

/** A group of users: an account's team, or the platform's staff. */
export type Team = {
  /** API path of the list; changes are made at paths below it. */
  readonly path: string;
  /** API path for new invitations, when it is not below the list. */
  readonly invitations?: string;
  readonly read: (answer: unknown) => Members;
  /** Takes the invitation's link from the response. */
  readonly linkOf: (answer: unknown) => string;
  readonly roleNames: Readonly<Record<string, string>>;
  readonly roleDescriptions: Readonly<Record<string, string>>;
  readonly roleOptions: readonly Option[];
  readonly firstRole: string;
  /** Who manages the members, as in "until … enables them again". */
  readonly manager: string;
  /** Error message for an unknown member. */
  readonly notFound: string;
};

export function useMembers(team: Team) {
  return useQuery({ queryKey: [team.path], queryFn: async ({ signal }) => team.read(await get(team.path, {}, signal)) });
}

/** A change to the members; the list is read again afterwards. */
export function useMembersChange<Answer, Given = void>(team: Team, work: (given: Given) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: work, onSuccess: () => queries.invalidateQueries({ queryKey: [team.path] }) });
}
