import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import type { OperatorApiDependencies } from "../operator/dependencies.ts";
import { siteAddress } from "../operator/site-address.ts";
import { homePage, homeStyle } from "./home-page.ts";
import { securePages } from "./page-security.ts";

type HomeContext = Pick<OperatorApiDependencies, "publicUrl" | "consoleUrl" | "ports">;

const PORTAL_FILES = new URL("../../../../web/dist/portal/assets/", import.meta.url);

/** Serves `/`: links to the portal, the console and the API reference, as a page or as JSON. */
export async function home(app: FastifyInstance, ctx: HomeContext, parts: { readonly console: boolean }): Promise<void> {
  const style = homeStyle(portalFont());
  const digest = createHash("sha256").update(style).digest("base64");
  const policy = { "style-src": [`'sha256-${digest}'`], "font-src": ["'self'"], "img-src": ["data:"], "form-action": ["'none'"] };
  await app.register(async (scope) => {
    await securePages(scope, policy, null);
    scope.get("/", async (request, reply) => {
      const console = parts.console ? "/console" : `${siteAddress(ctx, "console", request)}/console`;
      const addresses = { portal: "/portal", console, docs: "/docs" };
      reply.header("vary", "accept");
      if (/\btext\/html\b/.test(request.headers.accept ?? ""))
        return await reply.type("text/html; charset=utf-8").send(homePage(addresses, style));
      return await reply.send({ service: "Corprail", ...addresses, openapi: "/docs/openapi.json", health: "/healthz", ready: "/readyz" });
    });
  });
}

// The portal's font. Its file name contains a digest, so it has to be looked up.
function portalFont(): string | null {
  if (!existsSync(PORTAL_FILES)) return null;
  const file = readdirSync(PORTAL_FILES).find((name) => /^inter-latin-wght-normal-[\w-]+\.woff2$/.test(name));
  return file === undefined ? null : `/portal/assets/${file}`;
}
