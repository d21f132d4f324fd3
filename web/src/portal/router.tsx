import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from "@tanstack/react-router";
import { parseSearch, readFilters, stringifySearch } from "../ui/search.ts";
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

const home = createRoute({
  getParentRoute: () => shell,
  path: "/",
  component: lazyRouteComponent(() => import("./home/page.tsx"), "HomePage"),
});
const transactions = createRoute({
  getParentRoute: () => shell,
  path: "/transactions",
  validateSearch: readFilters("status", "service", "operator", "from", "to", "search"),
  component: lazyRouteComponent(() => import("./transactions/page.tsx"), "TransactionsPage"),
});
const transaction = createRoute({
  getParentRoute: () => transactions,
  path: "$orderId",
  component: lazyRouteComponent(() => import("./transactions/drawer.tsx"), "TransactionDrawer"),
});
const exports = createRoute({
  getParentRoute: () => transactions,
  path: "exports",
  component: lazyRouteComponent(() => import("./transactions/exports-drawer.tsx"), "ExportsDrawer"),
});
const complaints = createRoute({
  getParentRoute: () => shell,
  path: "/complaints",
  validateSearch: readFilters("status"),
  component: lazyRouteComponent(() => import("./complaints/page.tsx"), "ComplaintsPage"),
});
const complaint = createRoute({
  getParentRoute: () => complaints,
  path: "$complaintRef",
  component: lazyRouteComponent(() => import("./complaints/drawer.tsx"), "ComplaintDrawer"),
});
const newComplaint = createRoute({
  getParentRoute: () => complaints,
  path: "new",
  validateSearch: readFilters("order_id"),
  component: lazyRouteComponent(() => import("./complaints/raise-drawer.tsx"), "RaiseDrawer"),
});
const wallet = createRoute({
  getParentRoute: () => shell,
  path: "/wallet",
  validateSearch: readFilters("type", "from", "to"),
  component: lazyRouteComponent(() => import("./wallet/page.tsx"), "WalletPage"),
});
const walletLine = createRoute({
  getParentRoute: () => wallet,
  path: "$entryId",
  component: lazyRouteComponent(() => import("./wallet/line-drawer.tsx"), "LineDrawer"),
});
const operators = createRoute({
  getParentRoute: () => shell,
  path: "/operators",
  validateSearch: readFilters("kind", "status"),
  component: lazyRouteComponent(() => import("./operators/page.tsx"), "OperatorsPage"),
});
const operator = createRoute({
  getParentRoute: () => operators,
  path: "$operator",
  component: lazyRouteComponent(() => import("./operators/operator-drawer.tsx"), "OperatorDrawer"),
});
const service = createRoute({
  getParentRoute: () => operators,
  path: "services/$service",
  component: lazyRouteComponent(() => import("./operators/service-drawer.tsx"), "ServiceDrawer"),
});
const sandbox = createRoute({
  getParentRoute: () => shell,
  path: "/sandbox",
  component: lazyRouteComponent(() => import("./sandbox/page.tsx"), "SandboxPage"),
});
const sandboxOrder = createRoute({
  getParentRoute: () => sandbox,
  path: "$orderId",
  component: lazyRouteComponent(() => import("./sandbox/order-drawer.tsx"), "SandboxOrderDrawer"),
});

const tree = root.addChildren([
  signIn,
  passwordReset,
  invite,
  shell.addChildren([
    home,
    transactions.addChildren([transaction, exports]),
    complaints.addChildren([complaint, newComplaint]),
    wallet.addChildren([walletLine]),
    operators.addChildren([operator, service]),
    sandbox.addChildren([sandboxOrder]),
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
