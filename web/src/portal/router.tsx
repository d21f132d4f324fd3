import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from "@tanstack/react-router";
import { sessionQuery } from "../ui/session.ts";
import { NotFound, PageError, PagePending } from "./shell/fallbacks.tsx";
import { Shell } from "./shell/shell.tsx";
import { readSignIn } from "./sign-in/search.ts";

// One line a page, and its line in the tree below. Pages are fetched when they are opened. A page's component has a
// written return type (ReactNode), reads its filters with useSearch({ from: "/shell/…" }) and never imports this file.
const root = createRootRouteWithContext<{ readonly queries: QueryClient }>()({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: readSignIn,
  component: lazyRouteComponent(() => import("./sign-in/page.tsx"), "SignInPage"),
});

const passwordReset = createRoute({
  getParentRoute: () => root,
  path: "/password-reset",
  component: lazyRouteComponent(() => import("./password-reset/page.tsx"), "PasswordResetPage"),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: "/invite",
  component: lazyRouteComponent(() => import("./invite/page.tsx"), "InvitePage"),
});

/** Pages inside the shell are for those who are signed in; others sign in first and come back. */
const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery);
    if (!session.signed_in || session.stage !== "full") throw redirect({ to: "/sign-in", search: { next: location.href } });
  },
});

const team = createRoute({
  getParentRoute: () => shell,
  path: "/team",
  component: lazyRouteComponent(() => import("./team/page.tsx"), "TeamPage"),
});
const teamMember = createRoute({
  getParentRoute: () => team,
  path: "$userId",
  component: lazyRouteComponent(() => import("./team/member-drawer.tsx"), "MemberDrawer"),
});
const security = createRoute({
  getParentRoute: () => shell,
  path: "/security",
  component: lazyRouteComponent(() => import("./security/layout.tsx"), "SecurityLayout"),
});
const securityMethods = createRoute({
  getParentRoute: () => security,
  path: "/",
  component: lazyRouteComponent(() => import("./security/methods-page.tsx"), "SecurityPage"),
});
const securitySessions = createRoute({
  getParentRoute: () => security,
  path: "sessions",
  component: lazyRouteComponent(() => import("./security/sessions-page.tsx"), "SessionsPage"),
});
const audit = createRoute({
  getParentRoute: () => security,
  path: "audit",
  component: lazyRouteComponent(() => import("./security/audit-page.tsx"), "AuditPage"),
});
const auditEntry = createRoute({
  getParentRoute: () => audit,
  path: "$seq",
  component: lazyRouteComponent(() => import("./security/audit-drawer.tsx"), "AuditDrawer"),
});

const tree = root.addChildren([
  signIn,
  passwordReset,
  invite,
  shell.addChildren([
    team.addChildren([teamMember]),
    security.addChildren([securityMethods, securitySessions, audit.addChildren([auditEntry])]),
  ]),
]);

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: import.meta.env.BASE_URL,
    context: { queries },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
  });
}

declare module "@tanstack/react-router" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to.
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
