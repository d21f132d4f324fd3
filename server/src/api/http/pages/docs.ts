import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import { documentText } from "../../client/openapi/document.ts";
import { describeRoutes } from "../../client/routes.ts";
import { type Asset, CACHING, createAsset, once, sendAsset } from "../../sites/asset.ts";
import { type ApiAddress, DOCS_POLICY, pageText, START_SCRIPT } from "./docs-page.ts";
import { securePages } from "./page-security.ts";

// Only the package's browser bundle is used.
const BUNDLE = new URL("./js/standalone.js", import.meta.resolve("@scalar/fastify-api-reference"));

type DocsOptions = { readonly hasConsole: boolean; readonly api: ApiAddress };

/**
 * Serves the reference of the client API at /docs, and that of the operator API at /docs/operator where the console is.
 * The pages load nothing from other hosts. Assets are read and compressed on first use.
 */
export async function docs(app: FastifyInstance, { hasConsole, api }: DocsOptions): Promise<void> {
  await securePages(app, DOCS_POLICY, null);
  const bundle = once(async () => textAsset("text/javascript", await readFile(BUNDLE, "utf8")));
  const start = once(async () => textAsset("text/javascript", START_SCRIPT));
  const document = once(async () => textAsset("application/json", documentText(describeRoutes())));
  const pageOf = (title: string) =>
    once(async () => {
      const [one, other] = await Promise.all([bundle(), start()]);
      const scripts = [`/docs/scalar.js?v=${one.tag}`, `/docs/start.js?v=${other.tag}`];
      return textAsset("text/html", pageText({ title, hasConsole, api }, scripts));
    });
  const page = pageOf("Corprail client API");
  const serve = (path: string, asset: () => Promise<Asset>, caching: string) =>
    app.get(path, async (request, reply) => await sendAsset(request, reply, await asset(), caching));
  serve("/docs", page, CACHING.revalidate);
  serve("/docs/", page, CACHING.revalidate);
  if (hasConsole) serve("/docs/operator", pageOf("Corprail operator API"), CACHING.revalidate);
  serve("/docs/openapi.json", document, CACHING.revalidate);
  // The page refers to them by a digest of their content, so that each version has its own address.
  serve("/docs/scalar.js", bundle, CACHING.year);
  serve("/docs/start.js", start, CACHING.year);
}

function textAsset(type: string, text: string): Asset {
  return createAsset(`${type}; charset=utf-8`, Buffer.from(text));
}
