import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readFilters } from "../../ui/lists/search.ts";
import { shell } from "../shell.ts";

const accounts = createRoute({
  getParentRoute: () => shell,
  path: "/accounts",
  validateSearch: readFilters("search", "standing", "part"),
  component: lazyRouteComponent(() => import("../accounts/page.tsx"), "AccountsPage"),
});
const account = createRoute({
  getParentRoute: () => accounts,
  path: "$accountId",
  component: lazyRouteComponent(() => import("../accounts/drawer.tsx"), "AccountDrawer"),
});

const approvals = createRoute({
  getParentRoute: () => shell,
  path: "/approvals",
  validateSearch: readFilters("view", "kind"),
  component: lazyRouteComponent(() => import("../approvals/page.tsx"), "ApprovalsPage"),
});
const approval = createRoute({
  getParentRoute: () => approvals,
  path: "$approvalId",
  component: lazyRouteComponent(() => import("../approvals/drawer.tsx"), "ApprovalDrawer"),
});

const onboardingFilters = readFilters("search", "view");
const onboardings = createRoute({
  getParentRoute: () => shell,
  path: "/onboarding",
  // The default view shows the applications whose KYC is pending.
  validateSearch: (search: Record<string, unknown>) => ({ view: "kyc", ...onboardingFilters(search) }),
  component: lazyRouteComponent(() => import("../onboarding/page.tsx"), "OnboardingPage"),
});
const onboarding = createRoute({
  getParentRoute: () => shell,
  path: "/onboarding/$accountId",
  validateSearch: readFilters("step"),
  component: lazyRouteComponent(() => import("../onboarding/wizard.tsx"), "OnboardingWizard"),
});

/** Routes of the account, onboarding and approval pages. */
export const accountRoutes = [accounts.addChildren([account]), approvals.addChildren([approval]), onboardings, onboarding] as const;
