import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import type { OperatorApiDependencies } from "../../operator/dependencies.ts";
import { siteAddress } from "../../operator/site-address.ts";
import { securePages } from "./page-security.ts";

type HomeContext = Pick<OperatorApiDependencies, "publicUrl" | "consoleUrl" | "ports">;

const PORTAL_FILES = new URL("../../../../../web/dist/portal/assets/", import.meta.url);

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

type HomeAddresses = { readonly portal: string; readonly console: string; readonly docs: string };

const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #0c1014); --surface: light-dark(#ffffff, #141a20); --line: light-dark(#e1e5ea, #27303a);
  --ink: light-dark(#131a22, #e9edf1); --soft: light-dark(#4b5663, #aab4bf);
  --accent: light-dark(#0b6b74, #57cdd6); --staff: light-dark(#2b4fae, #9cb7fb);
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: grid; align-content: center; padding: 2rem 1rem;
  background: var(--ground); color: var(--ink);
  font: 0.9375rem/1.55 "Inter Variable", ui-sans-serif, system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main { width: 100%; max-width: 58rem; margin: 0 auto; }
header { display: flex; align-items: center; gap: 0.75rem; }
svg { width: 2.25rem; height: 2.25rem; stroke: var(--accent); }
h1 { margin: 0; font-size: 1.5rem; font-weight: 650; letter-spacing: -0.01em; }
p { margin: 0.75rem 0 0; color: var(--soft); max-width: 42rem; }
ul { list-style: none; margin: 1.75rem 0 0; padding: 0; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); }
li a {
  display: block; height: 100%; padding: 1.25rem; border: 1px solid var(--line); border-top: 3px solid var(--card);
  border-radius: 0.75rem; background: var(--surface); color: inherit; text-decoration: none;
}
li a:hover { border-color: var(--card); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
h2 { margin: 0; font-size: 1rem; font-weight: 600; color: var(--card); }
li p { margin-top: 0.375rem; }
.portal, .docs { --card: var(--accent); }
.console { --card: var(--staff); }
footer p { margin-top: 1.5rem; }
footer a { color: var(--accent); }
`;

/** The page's inline styles. The content security policy allows them by their digest. */
function homeStyle(font: string | null): string {
  if (font === null) return STYLE;
  const face = `font-family: "Inter Variable"; font-weight: 100 900; font-display: swap; src: url("${font}") format("woff2");`;
  return `@font-face { ${face} }${STYLE}`;
}

/** The start page with links to portal, console and reference. */
function homePage(addresses: HomeAddresses, style: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Corprail</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<header>
<svg viewBox="0 0 24 24" fill="none" stroke-width="2.5" stroke-linecap="round" aria-hidden="true">
<path d="M4 8h16M4 16h16"/><path d="M9 5v14M15 5v14" stroke-opacity=".45"/></svg>
<h1>Corprail</h1>
</header>
<p>Recharges, bill payments, money transfers, bus tickets and AEPS over one signed HTTP API.</p>
<ul>
${card("portal", addresses.portal, "Client portal", "For clients: transactions, wallet, credentials, callbacks and logs of your account.")}
${card("console", addresses.console, "Console", "For the staff who run this installation: accounts, providers, approvals, ledger.")}
${card("docs", addresses.docs, "API reference", "For developers: every call of the client API, with its fields and result codes.")}
</ul>
<footer><p>First time here? Sign in with the set-up link that the first start showed, or with your invitation.
The API's description is <a href="/docs/openapi.json">openapi.json</a>.</p></footer>
</main>
</body>
</html>
`;
}

function card(kind: string, address: string, title: string, text: string): string {
  return `<li><a class="${kind}" href="${escaped(address)}"><h2>${title}</h2><p>${text}</p></a></li>`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

// An address may contain the Host header of the request.
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
