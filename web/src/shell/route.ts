import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet, redirect } from "@tanstack/react-router";
import { sessionQuery } from "../ui/requests/session.ts";

type Context = { readonly queries: QueryClient };

export const root = createRootRouteWithContext<Context>()({ component: Outlet });

type Arriving = { readonly context: Context; readonly location: { readonly href: string } };

/** Sends visitors who are not signed in to the sign-in page, which leads back afterwards. */
export async function signedInOnly({ context, location }: Arriving): Promise<void> {
  const session = await context.queries.ensureQueryData(sessionQuery);
  if (session.signed_in && session.stage === "full") return;
  const enrol = session.signed_in && session.stage === "enrol";
  throw redirect({ to: enrol ? "/enrol" : "/sign-in", search: { next: location.href } });
}

/** Only for users who entered their password and have no second factor yet. */
export async function enrollingOnly({ context }: Arriving): Promise<void> {
  const session = await context.queries.ensureQueryData(sessionQuery);
  if (!session.signed_in || session.stage !== "enrol") throw redirect({ to: "/" });
}
