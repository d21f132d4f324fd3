// Scalar adds inline styles. Nothing else may be inline, and nothing may be loaded from another host.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const DOCS_SECURITY_HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

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

export const START_SCRIPT = `const configuration = ${JSON.stringify(CONFIGURATION, null, 2)};
const { security, components: { securitySchemes, ...components }, ...document } = await (await fetch("/docs/openapi.json")).json();
globalThis.Scalar.createApiReference("#reference", { ...configuration, content: { ...document, components } });
`;

export function pageText(scripts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Corprail client API</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<noscript>The reference needs JavaScript. The description itself: <a href="/docs/openapi.json">openapi.json</a>.</noscript>
${scripts.map((source) => `<script type="module" src="${source}"></script>`).join("\n")}
</body>
</html>
`;
}
