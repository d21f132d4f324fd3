import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Schemas as OperatorSchemas } from "../../operator-api.ts";
import type { Schemas } from "../../portal-api.ts";

export type Member = Schemas["Member"] | OperatorSchemas["Member"];
export type Invitation = Schemas["Invitation"] | OperatorSchemas["Invitation"];

type Members = { readonly members: readonly Member[]; readonly invitations: readonly Invitation[] };

/** Users whose list a site shows, and how it invites another one. */
export type Invitable<Role extends string> = {
  /** Key of the query that reads the list. */
  readonly key: string;
  readonly read: (signal: AbortSignal) => Promise<Members>;
  /** Invites a user and gives the link. */
  readonly invite: (user: { readonly email: string; readonly role: Role }) => Promise<string>;
  readonly roleNames: Readonly<Record<Role, string>>;
  readonly roleDescriptions: Readonly<Record<Role, string>>;
  readonly roles: readonly Role[];
  readonly firstRole: Role;
  /** Email address that the dialog proposes. */
  readonly firstEmail?: string | undefined;
};

/** A group of users that can be managed: an account's team, or the platform's staff. */
export type Team<Role extends string> = Invitable<Role> & {
  readonly revoke: (invitationId: string) => Promise<unknown>;
  readonly setRole: (userId: string, role: Role) => Promise<unknown>;
  readonly setEnabled: (userId: string, enabled: boolean) => Promise<unknown>;
  readonly setBreakGlass: (userId: string, isBreakGlass: boolean) => Promise<unknown>;
  readonly unlinkIdentity: (userId: string) => Promise<unknown>;
  /** Creates a link for a new password; absent if nobody of the team can. */
  readonly passwordLink?: (userId: string) => Promise<string>;
  /** Roles whose members get no such link here. */
  readonly withoutPasswordLink?: readonly Role[];
  /** Who manages the members, as in "until … enables them again". */
  readonly manager: string;
  /** Error message for an unknown member. */
  readonly notFound: string;
};

/** The role of that name, if the team has it. */
export function readRole<Role extends string>({ roles }: Pick<Invitable<Role>, "roles">, name: string): Role | undefined {
  return roles.find((role) => role === name);
}

/** The name of a role, or the role itself when the team does not have it. */
export function roleName<Role extends string>(team: Pick<Invitable<Role>, "roles" | "roleNames">, role: string): string {
  const known = readRole(team, role);
  return known === undefined ? role : team.roleNames[known];
}

export function useMembers({ key, read }: Pick<Invitable<never>, "key" | "read">) {
  return useQuery({ queryKey: [key], queryFn: ({ signal }) => read(signal) });
}

/** A change to the members; the list is read again afterwards. */
export function useMembersChange<Answer, Input = void>({ key }: Pick<Invitable<never>, "key">, work: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: work, onSuccess: () => queries.invalidateQueries({ queryKey: [key] }) });
}
