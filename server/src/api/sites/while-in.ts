import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/** Whether the caller of a long-running request is still authorised. */
export type IsStillIn = () => Promise<boolean>;

const ASK_MILLISECONDS = 1_000;

/**
 * Sends a live view or a large file, and stops within about a second if the caller signs out, is disabled or loses the
 * role, in any process.
 */
export function sendWhileIn(
  reply: FastifyReply,
  isStillAuthorized: IsStillIn,
  content: (left: AbortSignal) => AsyncIterable<string | Uint8Array>,
): FastifyReply {
  const left = new AbortController();
  const leave = () => left.abort();
  reply.raw.once("close", leave);
  if (reply.raw.destroyed) leave();
  const stream = Readable.from(content(left.signal));
  const end = () => {
    leave();
    // Breaks the connection, because an incomplete file must not look complete.
    stream.destroy();
  };
  askAgain(isStillAuthorized, left.signal, end);
  return reply.send(stream);
}

function askAgain(isStillAuthorized: IsStillIn, left: AbortSignal, end: () => void): void {
  const timer = setTimeout(async () => {
    if (left.aborted) return;
    // If the check fails, access ends too. The browser reconnects later.
    const isIn = await isStillAuthorized().catch(() => false);
    if (left.aborted) return;
    if (isIn) askAgain(isStillAuthorized, left, end);
    else end();
  }, ASK_MILLISECONDS);
  timer.unref();
}
