import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readFilters } from "../../ui/lists/search.ts";
import { shell } from "../shell.ts";

const overview = createRoute({
  getParentRoute: () => shell,
  path: "/",
  component: lazyRouteComponent(() => import("../overview/page.tsx"), "OverviewPage"),
});

const analytics = createRoute({
  getParentRoute: () => shell,
  path: "/analytics",
  validateSearch: readFilters("from", "to", "by", "service", "operator", "circle", "provider", "account_id", "reason"),
  component: lazyRouteComponent(() => import("../analytics/page.tsx"), "AnalyticsPage"),
});

const alerts = createRoute({
  getParentRoute: () => shell,
  path: "/alerts",
  validateSearch: readFilters("state", "kind", "assigned_to"),
  component: lazyRouteComponent(() => import("../alerts/page.tsx"), "AlertsPage"),
});
const alert = createRoute({
  getParentRoute: () => alerts,
  path: "$alertId",
  component: lazyRouteComponent(() => import("../alerts/drawer.tsx"), "AlertDrawer"),
});
const alertSettings = createRoute({
  getParentRoute: () => alerts,
  path: "settings",
  component: lazyRouteComponent(() => import("../alerts/settings-drawer.tsx"), "AlertSettingsDrawer"),
});

const system = createRoute({
  getParentRoute: () => shell,
  path: "/system",
  component: lazyRouteComponent(() => import("../system/page.tsx"), "SystemPage"),
});
const systemProcess = createRoute({
  getParentRoute: () => system,
  path: "processes/$processId",
  component: lazyRouteComponent(() => import("../system/process-drawer.tsx"), "ProcessDrawer"),
});

const status = createRoute({
  getParentRoute: () => shell,
  path: "/status",
  component: lazyRouteComponent(() => import("../status/page.tsx"), "StatusPage"),
});

/** Routes of the overview, alert and system pages. */
export const overviewRoutes = [
  analytics,
  overview,
  status,
  alerts.addChildren([alert, alertSettings]),
  system.addChildren([systemProcess]),
] as const;
