import type { QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { parseSearch, stringifySearch } from "../ui/search.ts";
import { dailyRoutes } from "./daily-routes.ts";
import { integrationRoutes } from "./integration-routes.ts";
import { NotFound, PageError, PagePending } from "./shell/fallbacks.tsx";
import { root, shell } from "./shell/route.ts";
import { readSignIn } from "./sign-in/search.ts";

// One line a page, and its line in the tree below. Pages are fetched when they are opened. A page's component has a
// written return type (ReactNode), reads its filters with useSearch({ from: "/shell/…" }) and never imports this file.
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
    ...dailyRoutes,
    ...integrationRoutes,
    team.addChildren([teamMember]),
    security.addChildren([securityMethods, securitySessions, audit.addChildren([auditEntry])]),
  ]),
]);

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: import.meta.env.BASE_URL,
    context: { queries },
    parseSearch,
    stringifySearch,
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
