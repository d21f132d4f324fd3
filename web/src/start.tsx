import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRouter, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { consoleTree } from "./console/router/router.tsx";
import { LANGUAGE } from "./messages/languages.ts";
import type { portalTree } from "./portal/router/router.tsx";
import { NotFound, PageError, PagePending } from "./shell/fallbacks.tsx";
import { type Site, SiteProvider } from "./shell/site.ts";
import { parseSearch, stringifySearch } from "./ui/lists/search.ts";
import { askStepUp } from "./ui/overlays/step-up.tsx";
import { Toasts } from "./ui/overlays/toast.tsx";
import { ApiError, get, handleApi } from "./ui/requests/api.ts";
import { DATA_MODE, readDataMode } from "./ui/requests/data-mode.ts";
import { watchOutage } from "./ui/requests/outage.ts";
import { applyTheme } from "./ui/theme.ts";
import "./ui/styles.css";

// TanStack Router registers one router type, so it covers the routes of both sites.
type Tree = typeof portalTree | typeof consoleTree;

declare module "@tanstack/react-router" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended by declaration merging.
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}

function makeRouter(routeTree: Tree, queries: QueryClient) {
  return createRouter({
    routeTree,
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

// Refusals are final. Only missing responses and server errors are retried.
const again = (tries: number, error: Error) => tries < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** Renders a site into the page. */
export function startSite(site: Site, tree: Tree): void {
  applyTheme();
  document.documentElement.lang = LANGUAGE;
  document.documentElement.dataset["mode"] = DATA_MODE;
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 10_000, retry: again } } });
  const router = makeRouter(tree, queries);
  // For example the browser's Back button after a switch.
  router.subscribe("onBeforeLoad", () => {
    if (readDataMode(window.location.search) !== DATA_MODE) window.location.reload();
  });
  handleApi({
    stepUp: askStepUp,
    signedOut: () => {
      if (router.state.location.pathname === "/sign-in") return;
      queries.clear();
      void router.navigate({ to: "/sign-in", search: { next: router.state.location.href } });
    },
  });
  watchOutage(
    () => get("/session"),
    () => {
      void queries.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
      void router.invalidate();
    },
  );
  const root = document.getElementById("root");
  if (root === null) return;
  createRoot(root).render(
    <StrictMode>
      <SiteProvider value={site}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
          <Toasts />
        </QueryClientProvider>
      </SiteProvider>
    </StrictMode>,
  );
}
