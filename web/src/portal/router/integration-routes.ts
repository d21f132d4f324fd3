import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readFilters } from "../../ui/lists/search.ts";
import { shell } from "../shell.ts";

const credentials = createRoute({
  getParentRoute: () => shell,
  path: "/credentials",
  component: lazyRouteComponent(() => import("../credentials/page.tsx"), "CredentialsPage"),
});

const allowlist = createRoute({
  getParentRoute: () => shell,
  path: "/allowlist",
  component: lazyRouteComponent(() => import("../allowlist/page.tsx"), "AllowlistPage"),
});

const apiAccess = createRoute({
  getParentRoute: () => shell,
  path: "/api-access",
  component: lazyRouteComponent(() => import("../api-access/page.tsx"), "ApiAccessPage"),
});

const callbacks = createRoute({
  getParentRoute: () => shell,
  path: "/callbacks",
  validateSearch: readFilters("search", "state", "kind", "from", "to", "job"),
  component: lazyRouteComponent(() => import("../callbacks/page.tsx"), "CallbacksPage"),
});

const callback = createRoute({
  getParentRoute: () => callbacks,
  path: "$callbackId",
  component: lazyRouteComponent(() => import("../callbacks/drawer.tsx"), "CallbackDrawer"),
});

const logs = createRoute({
  getParentRoute: () => shell,
  path: "/logs",
  validateSearch: readFilters("view", "live", "urid", "method", "path", "status", "error", "since", "until"),
  component: lazyRouteComponent(() => import("../logs/page.tsx"), "LogsPage"),
});

const call = createRoute({
  getParentRoute: () => logs,
  path: "$callId",
  component: lazyRouteComponent(() => import("../logs/drawer.tsx"), "CallDrawer"),
});

const signatureDebugger = createRoute({
  getParentRoute: () => shell,
  path: "/signature-debugger",
  validateSearch: readFilters("call"),
  component: lazyRouteComponent(() => import("../signature-debugger/page.tsx"), "SignatureDebuggerPage"),
});

const limits = createRoute({
  getParentRoute: () => shell,
  path: "/limits",
  component: lazyRouteComponent(() => import("../limits/page.tsx"), "LimitsPage"),
});

export const integrationRoutes = [
  credentials,
  allowlist,
  apiAccess,
  callbacks.addChildren([callback]),
  logs.addChildren([call]),
  signatureDebugger,
  limits,
] as const;
