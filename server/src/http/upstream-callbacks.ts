import type { FastifyInstance } from "fastify";
import type { Report, UpstreamMessage } from "../upstream/connector.ts";

export type UpstreamDoor = {
  readonly upstreams: { readonly readCallback: (provider: string, message: UpstreamMessage) => Report | null };
  readonly takeReport: (report: Report, provider: string) => Promise<void>;
};

const BODY_BYTES = 64 * 1024;

/** Where providers send results by themselves. Each one's messages are proved by its own secret. */
export function upstreamCallbacks(door: UpstreamDoor): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    // A signature covers the bytes, so whatever the provider calls them they stay bytes.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "string", bodyLimit: BODY_BYTES }, async (_request: unknown, body: string | Buffer) =>
      String(body),
    );
    app.route<{ Params: { provider: string } }>({
      method: ["GET", "POST"],
      url: "/upstream/:provider/callback",
      handler: async (request, reply) => {
        const { provider } = request.params;
        const query = texts(request.query as Record<string, unknown>);
        const body = typeof request.body === "string" ? request.body : "";
        reply.headers({ "x-request-id": request.id, "cache-control": "no-store" });
        // No text of the database holds one, so it could not be kept.
        if ([body, ...Object.values(query)].some((text) => text.includes("\0")))
          return await reply.code(400).send({ error: "invalid_request", message: "The message holds a NUL." });
        const report = door.upstreams.readCallback(provider, { method: request.method, query, headers: texts(request.headers), body });
        // One answer for an unknown provider and for a wrong secret: nothing to learn here.
        if (!report) return await reply.code(403).send({ error: "forbidden", message: "This message is not a known provider's." });
        await door.takeReport(report, provider);
        return await reply.send({ status: "received" });
      },
    });
  };
}

/** A name that came twice says two things; it says nothing here. */
function texts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
