import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet, redirect } from "@tanstack/react-router";
import { sessionQuery } from "../ui/session.ts";

type Context = { readonly queries: QueryClient };

export const root = createRootRouteWithContext<Context>()({ component: Outlet });

type Arriving = { readonly context: Context; readonly location: { readonly href: string } };

/** Pages inside the shell are for those who are signed in; others sign in first and come back. */
export async function signedInOnly({ context, location }: Arriving): Promise<void> {
  const session = await context.queries.ensureQueryData(sessionQuery);
  if (session.signed_in && session.stage === "full") return;
  const enrol = session.signed_in && session.stage === "enrol";
  throw redirect({ to: enrol ? "/enrol" : "/sign-in", search: { next: location.href } });
}

/** For whoever has the password right and no second factor yet; nobody else has business there. */
export async function enrollingOnly({ context }: Arriving): Promise<void> {
  const session = await context.queries.ensureQueryData(sessionQuery);
  if (!session.signed_in || session.stage !== "enrol") throw redirect({ to: "/" });
}
