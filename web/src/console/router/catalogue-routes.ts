import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readFilters } from "../../ui/lists/search.ts";
import { shell } from "../shell.ts";

const operators = createRoute({
  getParentRoute: () => shell,
  path: "/operators",
  validateSearch: readFilters("search", "kind", "status"),
  component: lazyRouteComponent(() => import("../operators/page.tsx"), "OperatorsPage"),
});
const operator = createRoute({
  getParentRoute: () => operators,
  path: "$operator",
  component: lazyRouteComponent(() => import("../operators/drawer.tsx"), "OperatorDrawer"),
});
const services = createRoute({
  getParentRoute: () => shell,
  path: "/services",
  component: lazyRouteComponent(() => import("../services/page.tsx"), "ServicesPage"),
});
const service = createRoute({
  getParentRoute: () => services,
  path: "$service",
  component: lazyRouteComponent(() => import("../services/drawer.tsx"), "ServiceDrawer"),
});
const providers = createRoute({
  getParentRoute: () => shell,
  path: "/providers",
  validateSearch: readFilters("search", "status"),
  component: lazyRouteComponent(() => import("../providers/page.tsx"), "ProvidersPage"),
});
const provider = createRoute({
  getParentRoute: () => providers,
  path: "$provider",
  component: lazyRouteComponent(() => import("../providers/drawer.tsx"), "ProviderDrawer"),
});
// Separate pages, because the editor needs the full width.
const newProvider = createRoute({
  getParentRoute: () => shell,
  path: "/providers/new",
  component: lazyRouteComponent(() => import("../providers/definition/new-page.tsx"), "NewProviderPage"),
});
const definition = createRoute({
  getParentRoute: () => shell,
  path: "/providers/$provider/definition",
  component: lazyRouteComponent(() => import("../providers/definition/definition-page.tsx"), "DefinitionPage"),
});
const versions = createRoute({
  getParentRoute: () => shell,
  path: "/providers/$provider/versions",
  component: lazyRouteComponent(() => import("../providers/definition/versions-page.tsx"), "VersionsPage"),
});
const routes = createRoute({
  getParentRoute: () => shell,
  path: "/routes",
  validateSearch: readFilters("service", "operator", "provider", "plan"),
  component: lazyRouteComponent(() => import("../routes/page.tsx"), "RoutesPage"),
});
const route = createRoute({
  getParentRoute: () => routes,
  path: "$route",
  component: lazyRouteComponent(() => import("../routes/drawer.tsx"), "RouteDrawer"),
});
const callbacks = createRoute({
  getParentRoute: () => shell,
  path: "/callbacks",
  validateSearch: readFilters("search", "account_id", "state", "kind", "since", "receivers", "job"),
  component: lazyRouteComponent(() => import("../callbacks/page.tsx"), "CallbacksPage"),
});
const callback = createRoute({
  getParentRoute: () => callbacks,
  path: "$callbackId",
  component: lazyRouteComponent(() => import("../callbacks/drawer.tsx"), "CallbackDrawer"),
});
const receiver = createRoute({
  getParentRoute: () => callbacks,
  path: "receivers/$receiver",
  component: lazyRouteComponent(() => import("../callbacks/receiver-drawer.tsx"), "ReceiverDrawer"),
});
const apiLog = createRoute({
  getParentRoute: () => shell,
  path: "/api-log",
  validateSearch: readFilters("request_id", "account_id", "path", "status", "code", "urid", "since", "until"),
  component: lazyRouteComponent(() => import("../api-log/page.tsx"), "ApiLogPage"),
});
const apiCall = createRoute({
  getParentRoute: () => apiLog,
  path: "$accountId/$callId",
  component: lazyRouteComponent(() => import("../api-log/drawer.tsx"), "CallDrawer"),
});

/** Routes of the operator, service, provider, route, callback and API log pages. */
export const catalogueRoutes = [
  operators.addChildren([operator]),
  services.addChildren([service]),
  providers.addChildren([provider]),
  newProvider,
  definition,
  versions,
  routes.addChildren([route]),
  callbacks.addChildren([callback, receiver]),
  apiLog.addChildren([apiCall]),
] as const;
