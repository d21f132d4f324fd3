import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/** Whether whoever began something that lasts may still have it. */
export type IsStillIn = () => Promise<boolean>;

const ASK_MILLISECONDS = 1_000;

/**
 * Sends what takes its time, such as a live view or a file, and stops within about a second when whoever asked for it has
 * signed out, was disabled or lost the role, in whichever process that happened.
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
  askAgain(isStillAuthorized, left.signal, () => {
    leave();
    // The connection breaks off: a file that ends here must not look whole.
    stream.destroy();
  });
  return reply.send(stream);
}

function askAgain(isStillAuthorized: IsStillIn, left: AbortSignal, end: () => void): void {
  const timer = setTimeout(async () => {
    if (left.aborted) return;
    // Who cannot be asked about is not let in either; the browser comes back when they can.
    const isIn = await isStillAuthorized().catch(() => false);
    if (left.aborted) return;
    if (isIn) askAgain(isStillAuthorized, left, end);
    else end();
  }, ASK_MILLISECONDS);
  timer.unref();
}
