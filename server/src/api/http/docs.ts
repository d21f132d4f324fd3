import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { documentText } from "../client/openapi/document.ts";
import { describeRoutes } from "../client/routes.ts";
import { DOCS_SECURITY_HEADERS, pageText, START_SCRIPT } from "./docs-page.ts";

const compress = promisify(gzip);
// Only the package's browser bundle is used.
const BUNDLE = new URL("./js/standalone.js", import.meta.resolve("@scalar/fastify-api-reference"));

type Asset = { readonly type: string; readonly text: string; readonly tag: string; readonly packed: Buffer };

const YEAR = "public, max-age=31536000, immutable";
// Browsers revalidate on each use and get 304 while nothing has changed.
const ASK_AGAIN = "no-cache";

/**
 * Serves the reference of the client API at /docs, and that of the operator API at /docs/operator where the console is.
 * The pages load nothing from other hosts.
 */
export async function docs(app: FastifyInstance, { hasConsole }: { readonly hasConsole: boolean }): Promise<void> {
  const bundle = once(async () => await assetOf("text/javascript", await readFile(BUNDLE, "utf8")));
  const start = once(() => assetOf("text/javascript", START_SCRIPT));
  const document = once(() => assetOf("application/json", documentText(describeRoutes())));
  const pageOf = (title: string) =>
    once(async () => {
      const [one, other] = await Promise.all([bundle(), start()]);
      const scripts = [`/docs/scalar.js?v=${one.tag}`, `/docs/start.js?v=${other.tag}`];
      return await assetOf("text/html", pageText({ title, hasConsole }, scripts));
    });
  const page = pageOf("Corprail client API");
  const serve = (path: string, asset: () => Promise<Asset>, caching: string) =>
    app.get(path, async (request, reply) => await send(request, reply, await asset(), caching));
  serve("/docs", page, ASK_AGAIN);
  serve("/docs/", page, ASK_AGAIN);
  if (hasConsole) serve("/docs/operator", pageOf("Corprail operator API"), ASK_AGAIN);
  serve("/docs/openapi.json", document, ASK_AGAIN);
  // The page refers to them by a digest of their content, so that each version has its own address.
  serve("/docs/scalar.js", bundle, YEAR);
  serve("/docs/start.js", start, YEAR);
}

// Assets are read and compressed on first use.
function once(make: () => Promise<Asset>): () => Promise<Asset> {
  let made: Promise<Asset> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

async function assetOf(type: string, text: string): Promise<Asset> {
  const tag = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { type: `${type}; charset=utf-8`, text, tag, packed: await compress(text) };
}

async function send(request: FastifyRequest, reply: FastifyReply, asset: Asset, caching: string): Promise<FastifyReply> {
  const tag = `"${asset.tag}"`;
  reply.headers({ ...DOCS_SECURITY_HEADERS, "cache-control": caching, etag: tag, vary: "accept-encoding" });
  if (request.headers["if-none-match"] === tag) return await reply.code(304).send();
  reply.type(asset.type);
  const packed = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  return packed ? await reply.header("content-encoding", "gzip").send(asset.packed) : await reply.send(asset.text);
}
