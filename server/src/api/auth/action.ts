import type { z } from "zod";
import type { MemberAction, PublicAction, Reply, SiteAction, SiteCall, SiteSession } from "../sites/actions/action.ts";
import type { OnlyDeclared } from "../sites/actions/only-declared.ts";
import type { AuthDependencies } from "./context.ts";

/** An action of portal and console alike. "everybody" is every role of the site that serves it. */
export type AuthAction = SiteAction<AuthDependencies, SiteSession, "everybody">;

/** One call of an action that needs a session. */
export type AuthCall<Input = unknown> = SiteCall<AuthDependencies, SiteSession, Input>;

/** One call of an action that needs no session. */
export type PublicCall<Input = unknown> = SiteCall<AuthDependencies, SiteSession | null, Input>;

/** Defines an action of signed-in users. */
export function action<Input extends z.ZodType, Output extends z.ZodType, Result extends Reply<Output>>(
  definition: MemberAction<AuthDependencies, SiteSession, "everybody", Input, Output, Result & OnlyDeclared<Result, Output>>,
): AuthAction {
  return definition;
}

/** Defines an action that needs no session. */
export function publicAction<Input extends z.ZodType, Output extends z.ZodType, Result extends Reply<Output>>(
  definition: PublicAction<AuthDependencies, SiteSession, Input, Output, Result & OnlyDeclared<Result, Output>>,
): AuthAction {
  return definition;
}

/** The actions for one site, with its roles. */
export function forRoles<Who extends SiteSession>(
  everybody: readonly Who["role"][],
  actions: readonly AuthAction[],
): readonly SiteAction<AuthDependencies, Who>[] {
  return actions.map((one) => (one.roles === "anyone" ? one : { ...one, roles: everybody, ofClient: true as const }));
}
