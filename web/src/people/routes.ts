import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { enrollingOnly, root } from "../shell/route.ts";
import { readSignIn } from "./sign-in/search.ts";

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: readSignIn,
  component: lazyRouteComponent(() => import("./sign-in/page.tsx"), "SignInPage"),
});

const passwordReset = createRoute({
  getParentRoute: () => root,
  path: "/password-reset",
  component: lazyRouteComponent(() => import("./password-reset/page.tsx"), "PasswordResetPage"),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: "/invite",
  component: lazyRouteComponent(() => import("./invite/page.tsx"), "InvitePage"),
});

/** Where a second factor is set up before anything else, on a site that demands one. */
export const enrol = createRoute({
  getParentRoute: () => root,
  path: "/enrol",
  validateSearch: readSignIn,
  beforeLoad: enrollingOnly,
  component: lazyRouteComponent(() => import("./enrol/page.tsx"), "EnrolPage"),
});

/** The pages of those who are not signed in yet. */
export const outsideRoutes = [signIn, passwordReset, invite] as const;
