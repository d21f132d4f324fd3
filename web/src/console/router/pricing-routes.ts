import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readFilters } from "../../ui/lists/search.ts";
import { shell } from "../shell.ts";

const pricing = createRoute({
  getParentRoute: () => shell,
  path: "/pricing",
  validateSearch: readFilters("account_id", "service", "operator", "state"),
  component: lazyRouteComponent(() => import("../pricing/page.tsx"), "PricingPage"),
});
const rule = createRoute({
  getParentRoute: () => pricing,
  path: "$ruleId",
  component: lazyRouteComponent(() => import("../pricing/drawer.tsx"), "RuleDrawer"),
});
const statements = createRoute({
  getParentRoute: () => shell,
  path: "/statements",
  validateSearch: readFilters("account_id", "month"),
  component: lazyRouteComponent(() => import("../statements/page.tsx"), "StatementsPage"),
});
const printed = createRoute({
  getParentRoute: () => shell,
  path: "/statements/$accountId/$month",
  component: lazyRouteComponent(() => import("../statements/print-page.tsx"), "PrintStatement"),
});

/** Routes of the pricing and statement pages. */
export const pricingRoutes = [pricing.addChildren([rule]), statements, printed] as const;
