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

const signOnReturn = createRoute({
  getParentRoute: () => root,
  path: "/sso/$providerId",
  component: lazyRouteComponent(() => import("./single-sign-on/return-page.tsx"), "SignOnReturnPage"),
});

/** Sets up a second factor, on a site that requires one. */
export const enrol = createRoute({
  getParentRoute: () => root,
  path: "/enrol",
  validateSearch: readSignIn,
  beforeLoad: enrollingOnly,
  component: lazyRouteComponent(() => import("./enrol/page.tsx"), "EnrolPage"),
});

/** Pages for visitors who are not signed in. */
export const outsideRoutes = [signIn, signOnReturn, passwordReset, invite] as const;
