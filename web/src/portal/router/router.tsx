import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { outsideRoutes } from "../../auth/routes.ts";
import { root } from "../../shell/route.ts";
import { shell, unknownPage } from "../shell.ts";
import { dailyRoutes } from "./daily-routes.ts";
import { integrationRoutes } from "./integration-routes.ts";

// Each page has a route here and a place in the tree below. Pages are loaded when they are opened. A page component has
// an explicit return type (ReactNode), reads filters with useSearch({ from: "/shell/…" }) and never imports this file.
const view = createRoute({
  getParentRoute: () => root,
  path: "/view",
  component: lazyRouteComponent(() => import("../view/page.tsx"), "ViewPage"),
});
const team = createRoute({
  getParentRoute: () => shell,
  path: "/team",
  component: lazyRouteComponent(() => import("../team/page.tsx"), "TeamPage"),
});
const teamMember = createRoute({
  getParentRoute: () => team,
  path: "$userId",
  component: lazyRouteComponent(() => import("../team/member-drawer.tsx"), "TeamDrawer"),
});
const singleSignOn = createRoute({
  getParentRoute: () => shell,
  path: "/single-sign-on",
  component: lazyRouteComponent(() => import("../single-sign-on/page.tsx"), "PortalSignOnPage"),
});
const security = createRoute({
  getParentRoute: () => shell,
  path: "/security",
  component: lazyRouteComponent(() => import("../security/layout.tsx"), "PortalSecurity"),
});
const securityMethods = createRoute({
  getParentRoute: () => security,
  path: "/",
  component: lazyRouteComponent(() => import("../../auth/security/methods-page.tsx"), "SecurityPage"),
});
const securitySessions = createRoute({
  getParentRoute: () => security,
  path: "sessions",
  component: lazyRouteComponent(() => import("../../auth/security/sessions-page.tsx"), "SessionsPage"),
});
const audit = createRoute({
  getParentRoute: () => security,
  path: "audit",
  component: lazyRouteComponent(() => import("../security/audit-page.tsx"), "AuditPage"),
});
const auditEntry = createRoute({
  getParentRoute: () => audit,
  path: "$seq",
  component: lazyRouteComponent(() => import("../security/audit-drawer.tsx"), "AuditDrawer"),
});

export const portalTree = root.addChildren([
  ...outsideRoutes,
  view,
  shell.addChildren([
    ...dailyRoutes,
    ...integrationRoutes,
    team.addChildren([teamMember]),
    singleSignOn,
    security.addChildren([securityMethods, securitySessions, audit.addChildren([auditEntry])]),
    unknownPage,
  ]),
]);
