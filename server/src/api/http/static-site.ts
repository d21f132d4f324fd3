import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const compress = promisify(gzip);
const BUILT = new URL("../../../../web/dist/", import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  woff2: "font/woff2",
  svg: "image/svg+xml",
};

// Allows only this site's scripts, styles, fonts and requests, and no framing.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const SECURITY = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
};

type Asset = {
  readonly type: string;
  readonly content: Buffer;
  readonly tag: string;
  /** Compresses the content on first use; null if compression gains nothing. */
  readonly packed: (() => Promise<Buffer>) | null;
};

// One year. Without includeSubDomains, because other hosts of the domain may not use https.
const ONLY_HTTPS = { "strict-transport-security": "max-age=31536000" };

/**
 * Serves a built site of web/: its page for every path below it, and its files by name. If browsers reach it by https,
 * it sends Strict-Transport-Security.
 */
export async function webSite(app: FastifyInstance, name: "portal" | "console", publicUrl: string | null): Promise<void> {
  const files = readFiles(name);
  const page = files.get(`${name}.html`);
  const security = publicUrl?.startsWith("https:") ? { ...SECURITY, ...ONLY_HTTPS } : SECURITY;
  const showPage = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(security);
    if (page) return await send(request, reply, page, "no-cache");
    return await reply.code(503).type("text/plain").send("The pages have not been built. Run npm run build.\n");
  };
  app.get(`/${name}`, showPage);
  app.get(`/${name}/assets/:file`, async (request, reply) => {
    const asset = files.get(`assets/${(request.params as { file: string }).file}`);
    reply.headers(security);
    // A file's name contains a digest of its content, so changed content has a new address.
    if (asset) return await send(request, reply, asset, "public, max-age=31536000, immutable");
    return await reply.code(404).send({ error: "not_found", message: "There is no such file." });
  });
  app.get(`/${name}/*`, showPage);
}

function readFiles(name: string): ReadonlyMap<string, Asset> {
  const folder = new URL(`${name}/`, BUILT);
  try {
    const names = ["assets", "."].flatMap((part) =>
      readdirSync(new URL(`${part}/`, folder), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => (part === "." ? entry.name : `${part}/${entry.name}`)),
    );
    return new Map(names.map((file) => [file, assetOf(file, readFileSync(new URL(file, folder)))]));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return new Map();
    throw error;
  }
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

function assetOf(file: string, content: Buffer): Asset {
  const type = TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  const tag = `"${createHash("sha256").update(content).digest("hex").slice(0, 16)}"`;
  return { type, content, tag, packed: type.startsWith("font/") ? null : once(() => compress(content)) };
}

async function send(request: FastifyRequest, reply: FastifyReply, asset: Asset, caching: string): Promise<FastifyReply> {
  reply.headers({ "cache-control": caching, etag: asset.tag, vary: "accept-encoding" });
  if (request.headers["if-none-match"] === asset.tag) return await reply.code(304).send();
  reply.type(asset.type);
  const packed = asset.packed !== null && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  return packed ? await reply.header("content-encoding", "gzip").send(await asset.packed()) : await reply.send(asset.content);
}
