import type { FastifyReply } from "fastify";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import { type IsStillIn, sendWhileIn } from "./while-in.ts";

/** Streams server-sent events, one JSON object each, until the client disconnects or loses access. */
export function sendEvents(
  reply: FastifyReply,
  isStillAuthorized: IsStillIn,
  events: (left: AbortSignal) => AsyncIterable<JsonObject>,
): FastifyReply {
  // Closes the connection afterwards, so that a stopping service does not wait for it.
  reply.type("text/event-stream; charset=utf-8").headers({ "x-accel-buffering": "no", connection: "close" });
  return sendWhileIn(reply, isStillAuthorized, (left) => written(events(left)));
}

async function* written(events: AsyncIterable<JsonObject>): AsyncGenerator<string> {
  // Sent at once, so that the browser knows that the connection works.
  yield ": open\n\n";
  for await (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
}
