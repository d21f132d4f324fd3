import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

const compress = promisify(gzip);

/** A file or page in memory. */
export type Asset = {
  readonly type: string;
  readonly content: Buffer;
  /** A digest of the content, so that equal content has the same tag in every process and after every installation. */
  readonly tag: string;
  /** Compresses the content on first use; null if compression gains nothing. */
  readonly packed: (() => Promise<Buffer>) | null;
};

export const CACHING = {
  /** For addresses that contain a digest of the content, so that changed content has a new address. */
  year: "public, max-age=31536000, immutable",
  /** Browsers revalidate on each use and get 304 while nothing has changed. */
  revalidate: "no-cache",
  /** The same for what only some callers may see: nothing between browser and service keeps it. */
  revalidatePrivately: "private, no-cache",
} as const;

export function createAsset(type: string, content: Buffer): Asset {
  const tag = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { type, content, tag, packed: type.startsWith("font/") ? null : once(() => compress(content)) };
}

/** Makes a value on first use. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

export async function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset, caching: string): Promise<FastifyReply> {
  reply.headers({ "cache-control": caching, etag: `"${asset.tag}"`, vary: "accept-encoding" });
  if (hasTag(request.headers["if-none-match"], asset.tag)) return await reply.code(304).send();
  reply.type(asset.type);
  const packed = asset.packed !== null && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  return packed ? await reply.header("content-encoding", "gzip").send(await asset.packed()) : await reply.send(asset.content);
}

// A proxy that compresses makes a tag weak, and a browser may send several.
function hasTag(header: string | undefined, tag: string): boolean {
  return header?.split(",").some((one) => one.trim().replace(/^W\//, "") === `"${tag}"`) ?? false;
}
