import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readFilters } from "../../ui/lists/search.ts";
import { shell } from "../shell.ts";

const home = createRoute({
  getParentRoute: () => shell,
  path: "/",
  component: lazyRouteComponent(() => import("../home/page.tsx"), "HomePage"),
});
const status = createRoute({
  getParentRoute: () => shell,
  path: "/status",
  component: lazyRouteComponent(() => import("../status/page.tsx"), "StatusPage"),
});
const transactions = createRoute({
  getParentRoute: () => shell,
  path: "/transactions",
  validateSearch: readFilters("status", "service", "operator", "circle", "reason", "from", "to", "search"),
  component: lazyRouteComponent(() => import("../transactions/page.tsx"), "TransactionsPage"),
});
const transaction = createRoute({
  getParentRoute: () => transactions,
  path: "$orderId",
  component: lazyRouteComponent(() => import("../transactions/drawer.tsx"), "TransactionDrawer"),
});
const exports = createRoute({
  getParentRoute: () => transactions,
  path: "exports",
  component: lazyRouteComponent(() => import("../transactions/exports-drawer.tsx"), "ExportsDrawer"),
});
const analytics = createRoute({
  getParentRoute: () => shell,
  path: "/analytics",
  validateSearch: readFilters("from", "to", "by", "service", "operator", "circle", "reason"),
  component: lazyRouteComponent(() => import("../analytics/page.tsx"), "AnalyticsPage"),
});
const complaints = createRoute({
  getParentRoute: () => shell,
  path: "/complaints",
  validateSearch: readFilters("search", "status", "from", "to"),
  component: lazyRouteComponent(() => import("../complaints/page.tsx"), "ComplaintsPage"),
});
const complaint = createRoute({
  getParentRoute: () => complaints,
  path: "$complaintRef",
  component: lazyRouteComponent(() => import("../complaints/drawer.tsx"), "ComplaintDrawer"),
});
const newComplaint = createRoute({
  getParentRoute: () => complaints,
  path: "new",
  validateSearch: readFilters("order_id"),
  component: lazyRouteComponent(() => import("../complaints/raise-drawer.tsx"), "RaiseDrawer"),
});
const wallet = createRoute({
  getParentRoute: () => shell,
  path: "/wallet",
  validateSearch: readFilters("type", "from", "to"),
  component: lazyRouteComponent(() => import("../wallet/page.tsx"), "WalletPage"),
});
const walletLine = createRoute({
  getParentRoute: () => wallet,
  path: "$entryId",
  component: lazyRouteComponent(() => import("../wallet/line-drawer.tsx"), "LineDrawer"),
});
const operators = createRoute({
  getParentRoute: () => shell,
  path: "/operators",
  validateSearch: readFilters("kind", "status"),
  component: lazyRouteComponent(() => import("../operators/page.tsx"), "OperatorsPage"),
});
const operator = createRoute({
  getParentRoute: () => operators,
  path: "$operator",
  component: lazyRouteComponent(() => import("../operators/operator-drawer.tsx"), "OperatorDrawer"),
});
const service = createRoute({
  getParentRoute: () => operators,
  path: "services/$service",
  component: lazyRouteComponent(() => import("../operators/service-drawer.tsx"), "ServiceDrawer"),
});
const sandbox = createRoute({
  getParentRoute: () => shell,
  path: "/sandbox",
  component: lazyRouteComponent(() => import("../sandbox/page.tsx"), "SandboxPage"),
});
const sandboxOrder = createRoute({
  getParentRoute: () => sandbox,
  path: "$orderId",
  component: lazyRouteComponent(() => import("../sandbox/order-drawer.tsx"), "SandboxOrderDrawer"),
});

/** Routes of the pages for daily work. */
export const dailyRoutes = [
  analytics,
  home,
  status,
  transactions.addChildren([transaction, exports]),
  complaints.addChildren([complaint, newComplaint]),
  wallet.addChildren([walletLine]),
  operators.addChildren([operator, service]),
  sandbox.addChildren([sandboxOrder]),
] as const;
