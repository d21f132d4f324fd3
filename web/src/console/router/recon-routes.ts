import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readFilters } from "../../ui/lists/search.ts";
import { shell } from "../shell.ts";

const reconciliations = createRoute({
  getParentRoute: () => shell,
  path: "/reconciliation",
  validateSearch: readFilters("provider", "state"),
  component: lazyRouteComponent(() => import("../reconciliation/page.tsx"), "ReconciliationsPage"),
});
const upload = createRoute({
  getParentRoute: () => reconciliations,
  path: "upload",
  component: lazyRouteComponent(() => import("../reconciliation/upload-drawer.tsx"), "UploadDrawer"),
});
// A separate page rather than a drawer, because its lines open in drawers.
const reconciliation = createRoute({
  getParentRoute: () => shell,
  path: "/reconciliation/$reconciliationId",
  validateSearch: readFilters("outcome", "resolved", "can_settle", "search", "step"),
  component: lazyRouteComponent(() => import("../reconciliation/reconciliation-page.tsx"), "ReconciliationPage"),
});
const exports = createRoute({
  getParentRoute: () => reconciliation,
  path: "exports",
  component: lazyRouteComponent(() => import("../reconciliation/exports-drawer.tsx"), "ReconciliationExports"),
});
const item = createRoute({
  getParentRoute: () => reconciliation,
  path: "items/$item",
  component: lazyRouteComponent(() => import("../reconciliation/item-drawer.tsx"), "ItemDrawer"),
});

const jobs = createRoute({
  getParentRoute: () => shell,
  path: "/jobs",
  validateSearch: readFilters("kind", "state"),
  component: lazyRouteComponent(() => import("../jobs/page.tsx"), "JobsPage"),
});
const job = createRoute({
  getParentRoute: () => jobs,
  path: "$jobId",
  component: lazyRouteComponent(() => import("../jobs/drawer.tsx"), "JobDrawer"),
});

/** Routes of the reconciliation and job pages. */
export const reconRoutes = [
  reconciliations.addChildren([upload]),
  reconciliation.addChildren([exports, item]),
  jobs.addChildren([job]),
] as const;
