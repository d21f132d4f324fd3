import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from "@tanstack/react-router";
import { parseSearch, stringifySearch, textParams } from "../ui/search.ts";
import { sessionQuery } from "../ui/session.ts";
import { NotFound, PageError, PagePending } from "./shell/fallbacks.tsx";
import { Shell } from "./shell/shell.tsx";
import { readSignIn } from "./sign-in/search.ts";

// One line a page, and its line in the tree below. Pages are fetched when they are opened. A page's component has a
// written return type (ReactNode), reads its filters with useSearch({ from: "/shell/…" }) and never imports this file.
const root = createRootRouteWithContext<{ readonly queries: QueryClient }>()({ component: Outlet });

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

/** Pages inside the shell are for those who are signed in; others sign in first and come back. */
const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery);
    if (!session.signed_in || session.stage !== "full") throw redirect({ to: "/sign-in", search: { next: location.href } });
  },
});

const page = <Path extends string>(path: Path) => ({ getParentRoute: () => shell, path }) as const;

const credentials = createRoute({
  ...page("/api/credentials"),
  component: lazyRouteComponent(() => import("./credentials/page.tsx"), "CredentialsPage"),
});

const allowlist = createRoute({
  ...page("/api/allowlist"),
  component: lazyRouteComponent(() => import("./allowlist/page.tsx"), "AllowlistPage"),
});

const apiAccess = createRoute({
  ...page("/api-access"),
  component: lazyRouteComponent(() => import("./api-access/page.tsx"), "ApiAccessPage"),
});

const callbacks = createRoute({
  ...page("/callbacks"),
  validateSearch: textParams("state", "kind", "order_id", "job"),
  component: lazyRouteComponent(() => import("./callbacks/page.tsx"), "CallbacksPage"),
});

const callback = createRoute({
  getParentRoute: () => callbacks,
  path: "$callbackId",
  component: lazyRouteComponent(() => import("./callbacks/drawer.tsx"), "CallbackDrawer"),
});

const logs = createRoute({
  ...page("/logs"),
  validateSearch: textParams("view", "live", "urid", "method", "path", "status", "error", "since", "until"),
  component: lazyRouteComponent(() => import("./logs/page.tsx"), "LogsPage"),
});

const call = createRoute({
  getParentRoute: () => logs,
  path: "$callId",
  component: lazyRouteComponent(() => import("./logs/drawer.tsx"), "CallDrawer"),
});

const signatureDebugger = createRoute({
  ...page("/signature-debugger"),
  validateSearch: textParams("call"),
  component: lazyRouteComponent(() => import("./signature-debugger/page.tsx"), "SignatureDebuggerPage"),
});

const limits = createRoute({ ...page("/limits"), component: lazyRouteComponent(() => import("./limits/page.tsx"), "LimitsPage") });

const tree = root.addChildren([
  signIn,
  passwordReset,
  invite,
  shell.addChildren([
    credentials,
    allowlist,
    apiAccess,
    callbacks.addChildren([callback]),
    logs.addChildren([call]),
    signatureDebugger,
    limits,
  ]),
]);

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: import.meta.env.BASE_URL,
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
  });
}

declare module "@tanstack/react-router" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to.
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
