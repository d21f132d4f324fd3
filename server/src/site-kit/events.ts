import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { JsonObject } from "../kernel/strict-json.ts";

/** Server-sent events: one JSON object each, until the visitor leaves. */
export function sendEvents(reply: FastifyReply, events: (left: AbortSignal) => AsyncIterable<JsonObject>): FastifyReply {
  const left = new AbortController();
  reply.raw.once("close", () => left.abort());
  if (reply.raw.destroyed) left.abort();
  // The last of its connection: a service that stops need not wait for one that nobody will use again.
  reply.type("text/event-stream; charset=utf-8").headers({ "x-accel-buffering": "no", connection: "close" });
  return reply.send(Readable.from(written(events(left.signal))));
}

async function* written(events: AsyncIterable<JsonObject>): AsyncGenerator<string> {
  // Something at once, so that the browser knows the connection stands.
  yield ": open\n\n";
  for await (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
}
