// Scalar adds inline styles. Nothing else may be inline, and nothing may be loaded from another host.
export const DOCS_POLICY = {
  "script-src": ["'self'"],
  "style-src": ["'self'", "'unsafe-inline'"],
  "img-src": ["'self'", "data:"],
  "font-src": ["'self'"],
  "connect-src": ["'self'"],
  "form-action": ["'none'"],
};

// The signing secret must not reach a browser, so the page cannot send requests: it has no send button, and
// without the security schemes it has no field for a credential.
const CONFIGURATION = {
  hideTestRequestButton: true,
  hideClientButton: true,
  showDeveloperTools: "never",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  persistAuth: false,
  hiddenClients: true,
  documentDownloadType: "none",
  orderSchemaPropertiesBy: "preserve",
};

// Staff read the operator API's description with their console session; everybody may read the client API's.
export const START_SCRIPT = `const configuration = ${JSON.stringify(CONFIGURATION, null, 2)};
const style = new CSSStyleSheet();
style.replaceSync("body > nav, body > p { font: 14px/1.5 system-ui, sans-serif; padding: 12px 24px; margin: 0 } body > nav { border-bottom: 1px solid #ddd } body > nav a, body > p a { color: inherit }");
document.adoptedStyleSheets = [style];
// The document names an example address; the page names this installation's.
const { baseUrl, port } = document.documentElement.dataset;
const own = new URL(location.origin);
if (port) own.port = port;
const servers = [{ url: baseUrl || own.origin }];
const isOperatorApi = location.pathname === "/docs/operator";
const reply = await fetch(isOperatorApi ? "/console/api/openapi" : "/docs/openapi.json");
if (reply.ok) {
  const { security, components: { securitySchemes, ...components }, ...description } = await reply.json();
  globalThis.Scalar.createApiReference("#reference", { ...configuration, content: { ...description, servers, components } });
} else {
  document.querySelector(reply.status === 401 ? "#sign-in" : "#unavailable").hidden = false;
}
`;

/** Where the APIs are: the public address, or this host, at another port if the page has a port of its own. */
export type ApiAddress = { readonly publicUrl: string | null; readonly port: () => number | null };
export type DocsPage = { readonly title: string; readonly hasConsole: boolean; readonly api: ApiAddress };

const SIGN_IN = `<p id="sign-in" hidden>The operator API is for staff. <a href="/console/">Sign in at the console</a>, then open this page again.</p>`;

const NAVIGATION = `<nav aria-label="References"><a href="/docs">Client API</a> · <a href="/docs/operator">Operator API (staff)</a></nav>`;

export function pageText({ title, hasConsole, api }: DocsPage, scripts: readonly string[]): string {
  const baseUrl = api.publicUrl === null ? "" : new URL(api.publicUrl).origin;
  return `<!doctype html>
<html lang="en" data-base-url="${baseUrl}" data-port="${api.port() ?? ""}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
</head>
<body>
${hasConsole ? NAVIGATION : ""}
<div id="reference"></div>
${SIGN_IN}
<p id="unavailable" hidden>The description could not be loaded. Reload the page to try again.</p>
<noscript>The reference needs JavaScript. The description itself: <a href="/docs/openapi.json">openapi.json</a>.</noscript>
${scripts.map((source) => `<script type="module" src="${source}"></script>`).join("\n")}
</body>
</html>
`;
}
