import type { FastifyReply } from "fastify";
import { TOO_MANY_DOWNLOADS } from "../sites/actions/session-limits.ts";
import { type Download, sendDownload } from "../sites/download.ts";
import type { Caller } from "./caller.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { Refusal } from "./refusal.ts";

export const CSV = "text/csv; charset=utf-8";

const DOWNLOADS_OPEN = new Refusal("too_many_requests", TOO_MANY_DOWNLOADS.message, TOO_MANY_DOWNLOADS);

/** Sends a file in parts, unless the caller has too many downloads open. */
export function download(
  { downloads }: OperatorApiDependencies,
  { person, isStillAuthorized }: Caller,
  reply: FastifyReply,
  file: Download,
): FastifyReply | Refusal {
  return sendDownload(reply, { person, downloads, isStillAuthorized }, file) ?? DOWNLOADS_OPEN;
}
