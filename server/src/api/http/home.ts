import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import type { OperatorApiDependencies } from "../operator/dependencies.ts";
import { siteAddress } from "../operator/site-address.ts";
import { homePage, homeStyle } from "./home-page.ts";

type HomeContext = Pick<OperatorApiDependencies, "publicUrl" | "consoleUrl" | "ports">;

const PORTAL_FILES = new URL("../../../../web/dist/portal/assets/", import.meta.url);

/** Serves `/`: links to the portal, the console and the API reference, as a page or as JSON. */
export function home(app: FastifyInstance, ctx: HomeContext, parts: { readonly console: boolean }): void {
  const style = homeStyle(portalFont());
  const digest = createHash("sha256").update(style).digest("base64");
  const security = {
    "content-security-policy":
      `default-src 'none'; style-src 'sha256-${digest}'; font-src 'self'; img-src data:; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
  };
  app.get("/", async (request, reply) => {
    const console = parts.console ? "/console" : `${siteAddress(ctx, "console", request)}/console`;
    const addresses = { portal: "/portal", console, docs: "/docs" };
    reply.headers({ ...security, vary: "accept" });
    if (/\btext\/html\b/.test(request.headers.accept ?? ""))
      return await reply.type("text/html; charset=utf-8").send(homePage(addresses, style));
    return await reply.send({ service: "Corprail", ...addresses, openapi: "/docs/openapi.json", health: "/healthz", ready: "/readyz" });
  });
}

// The portal's font. Its file name contains a digest, so it has to be looked up.
function portalFont(): string | null {
  if (!existsSync(PORTAL_FILES)) return null;
  const file = readdirSync(PORTAL_FILES).find((name) => /^inter-latin-wght-normal-[\w-]+\.woff2$/.test(name));
  return file === undefined ? null : `/portal/assets/${file}`;
}
