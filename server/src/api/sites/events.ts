import type { FastifyReply } from "fastify";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import { type IsStillIn, sendWhileIn } from "./while-in.ts";

/** Server-sent events: one JSON object each, until the visitor leaves or may no longer see them. */
export function sendEvents(
  reply: FastifyReply,
  isStillAuthorized: IsStillIn,
  events: (left: AbortSignal) => AsyncIterable<JsonObject>,
): FastifyReply {
  // The last of its connection: a service that stops need not wait for one that nobody will use again.
  reply.type("text/event-stream; charset=utf-8").headers({ "x-accel-buffering": "no", connection: "close" });
  return sendWhileIn(reply, isStillAuthorized, (left) => written(events(left)));
}

async function* written(events: AsyncIterable<JsonObject>): AsyncGenerator<string> {
  // Something at once, so that the browser knows the connection stands.
  yield ": open\n\n";
  for await (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
}
