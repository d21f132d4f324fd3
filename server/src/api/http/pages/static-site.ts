import { readdirSync, readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Asset, CACHING, createAsset, sendAsset } from "../../sites/asset.ts";
import { securePages } from "./page-security.ts";

const BUILT = new URL("../../../../../web/dist/", import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  woff2: "font/woff2",
  svg: "image/svg+xml",
};

// Allows only this site's scripts, styles, fonts and requests.
const POLICY = {
  "script-src": ["'self'"],
  "style-src": ["'self'"],
  "font-src": ["'self'"],
  "img-src": ["'self'", "data:"],
  "connect-src": ["'self'"],
  "form-action": ["'self'"],
};

/**
 * Serves a built site of web/: its page for every path below it, and its files by name. If browsers reach it by https,
 * it sends Strict-Transport-Security.
 */
export async function webSite(app: FastifyInstance, name: "portal" | "console", publicUrl: string | null): Promise<void> {
  const files = readFiles(name);
  const page = files.get(`${name}.html`);
  const showPage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (page) return await sendAsset(request, reply, page, CACHING.revalidate);
    return await reply.code(503).type("text/plain").send("The pages have not been built. Run npm run build.\n");
  };
  await app.register(async (site) => {
    await securePages(site, POLICY, publicUrl);
    site.get(`/${name}`, showPage);
    site.get<{ Params: { file: string } }>(`/${name}/assets/:file`, async (request, reply) => {
      const asset = files.get(`assets/${request.params.file}`);
      if (asset) return await sendAsset(request, reply, asset, CACHING.year);
      return await reply.code(404).send({ error: "not_found", message: "There is no such file." });
    });
    site.get(`/${name}/*`, showPage);
  });
}

// All files are read at the start, so that a process serves the version it was started with while the next one is built.
function readFiles(name: string): ReadonlyMap<string, Asset> {
  const folder = new URL(`${name}/`, BUILT);
  try {
    const names = ["assets", "."].flatMap((part) =>
      readdirSync(new URL(`${part}/`, folder), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => (part === "." ? entry.name : `${part}/${entry.name}`)),
    );
    return new Map(names.map((file) => [file, createAsset(typeOf(file), readFileSync(new URL(file, folder)))]));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return new Map();
    throw error;
  }
}

function typeOf(file: string): string {
  return TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}
