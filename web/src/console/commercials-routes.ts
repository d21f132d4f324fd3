import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readFilters } from "../ui/search.ts";
import { shell } from "./shell.ts";

const commercials = createRoute({
  getParentRoute: () => shell,
  path: "/commercials",
  validateSearch: readFilters("account_id", "service", "operator", "state"),
  component: lazyRouteComponent(() => import("./commercials/page.tsx"), "CommercialsPage"),
});
const rule = createRoute({
  getParentRoute: () => commercials,
  path: "$ruleId",
  component: lazyRouteComponent(() => import("./commercials/drawer.tsx"), "RuleDrawer"),
});
const statements = createRoute({
  getParentRoute: () => shell,
  path: "/statements",
  validateSearch: readFilters("account_id", "month"),
  component: lazyRouteComponent(() => import("./statements/page.tsx"), "StatementsPage"),
});
const printed = createRoute({
  getParentRoute: () => shell,
  path: "/statements/$accountId/$month",
  component: lazyRouteComponent(() => import("./statements/print-page.tsx"), "PrintStatement"),
});

/** What orders cost and earn, and what a month of them came to. */
export const commercialsRoutes = [commercials.addChildren([rule]), statements, printed] as const;
