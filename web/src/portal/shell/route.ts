import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { sessionQuery } from "../../ui/session.ts";
import { Shell } from "./shell.tsx";

export const root = createRootRouteWithContext<{ readonly queries: QueryClient }>()({ component: Outlet });

/** Pages inside the shell are for those who are signed in; others sign in first and come back. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery);
    if (!session.signed_in || session.stage !== "full") throw redirect({ to: "/sign-in", search: { next: location.href } });
  },
});
