import { createRoute } from "@tanstack/react-router";
import { NotFound, SiteError, SitePending } from "../shell/fallbacks.tsx";
import { root, signedInOnly } from "../shell/route.ts";
import { Shell } from "../shell/shell.tsx";

/** The parent route of every page for signed-in users. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  pendingComponent: SitePending,
  errorComponent: SiteError,
  beforeLoad: signedInOnly,
});

/** Every other address. Its page is inside the frame, so that the menu leads on. */
export const unknownPage = createRoute({ getParentRoute: () => shell, path: "$", component: NotFound });
