import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readFilters } from "../../ui/lists/search.ts";
import { shell } from "../shell.ts";

const security = createRoute({
  getParentRoute: () => shell,
  path: "/security",
  component: lazyRouteComponent(() => import("../security/layout.tsx"), "ConsoleSecurity"),
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

const staff = createRoute({
  getParentRoute: () => shell,
  path: "/staff",
  component: lazyRouteComponent(() => import("../staff/page.tsx"), "StaffPage"),
});
const staffMember = createRoute({
  getParentRoute: () => staff,
  path: "$userId",
  component: lazyRouteComponent(() => import("../staff/drawer.tsx"), "StaffDrawer"),
});
const audit = createRoute({
  getParentRoute: () => shell,
  path: "/audit",
  validateSearch: readFilters("subject_kind", "subject_id", "actor", "action", "from", "to"),
  component: lazyRouteComponent(() => import("../audit/page.tsx"), "AuditPage"),
});
const auditEntry = createRoute({
  getParentRoute: () => audit,
  path: "$seq",
  component: lazyRouteComponent(() => import("../audit/drawer.tsx"), "AuditDrawer"),
});
const keys = createRoute({
  getParentRoute: () => shell,
  path: "/keys",
  component: lazyRouteComponent(() => import("../keys/page.tsx"), "KeysPage"),
});
const key = createRoute({
  getParentRoute: () => keys,
  path: "$keyId",
  component: lazyRouteComponent(() => import("../keys/drawer.tsx"), "KeyDrawer"),
});

const singleSignOn = createRoute({
  getParentRoute: () => shell,
  path: "/single-sign-on",
  component: lazyRouteComponent(() => import("../single-sign-on/page.tsx"), "StaffSignOnPage"),
});

/** Routes of the security, staff, audit, key and single sign-on pages. */
export const authRoutes = [
  security.addChildren([securityMethods, securitySessions]),
  staff.addChildren([staffMember]),
  audit.addChildren([auditEntry]),
  keys.addChildren([key]),
  singleSignOn,
] as const;
