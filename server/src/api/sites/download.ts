import type { FastifyReply } from "fastify";
import type { Viewers } from "./viewers.ts";
import { type IsStillIn, sendWhileIn } from "./while-in.ts";

export type Download = {
  readonly name: string;
  readonly mediaType: string;
  readonly content: AsyncIterable<string | Uint8Array>;
};

/** Who downloads, and the downloads that are open in this process. */
export type Downloader = { readonly person: string; readonly downloads: Viewers; readonly isStillAuthorized: IsStillIn };

/** Sends a file in parts. Returns null if too many downloads are open. */
export function sendDownload(reply: FastifyReply, downloader: Downloader, file: Download): FastifyReply | null {
  const { person, downloads, isStillAuthorized } = downloader;
  if (!downloads.isBelowLimit(person)) return null;
  reply.header("content-type", file.mediaType).header("content-disposition", `attachment; filename="${file.name}"`);
  return sendWhileIn(reply, isStillAuthorized, (left) => downloads.watch(person, left, file.content));
}
