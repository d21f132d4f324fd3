import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shell } from "./shell.ts";

const security = createRoute({
  getParentRoute: () => shell,
  path: "/security",
  component: lazyRouteComponent(() => import("./security/layout.tsx"), "ConsoleSecurity"),
});
const securityMethods = createRoute({
  getParentRoute: () => security,
  path: "/",
  component: lazyRouteComponent(() => import("../people/security/methods-page.tsx"), "SecurityPage"),
});
const securitySessions = createRoute({
  getParentRoute: () => security,
  path: "sessions",
  component: lazyRouteComponent(() => import("../people/security/sessions-page.tsx"), "SessionsPage"),
});

/** Who works here, what they did, and how they come in. */
export const peopleRoutes = [security.addChildren([securityMethods, securitySessions])] as const;
