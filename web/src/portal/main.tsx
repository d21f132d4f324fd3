import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError, handleApi } from "../ui/api.ts";
import { askStepUp } from "../ui/step-up.tsx";
import { applyTheme } from "../ui/theme.ts";
import { Toasts } from "../ui/toast.tsx";
import { makeRouter } from "./router.tsx";
import "../ui/styles.css";

applyTheme();

// A refusal stays one; only silence and faults of the service are worth asking again.
const again = (tries: number, error: Error) => tries < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500);
const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 10_000, retry: again } } });
const router = makeRouter(queries);

handleApi({
  stepUp: askStepUp,
  signedOut: () => {
    if (router.state.location.pathname === "/sign-in") return;
    queries.clear();
    void router.navigate({ to: "/sign-in", search: { next: router.state.location.href } });
  },
});

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </StrictMode>,
  );
}
