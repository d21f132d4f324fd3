import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import { createStatusReader, type StatusContext, type StatusSnapshot } from "../../../domain/status/snapshot.ts";
import { statusView } from "../../sites/outputs/status-outputs.ts";
import { securePages } from "./page-security.ts";
import { atomFeed, STATUS_STYLE, statusHtml } from "./status-html.ts";

const CACHED = "public, max-age=15";

/** Serves the public status page as a page without scripts, as JSON and as an Atom feed, if the platform made it public. */
export async function statusPage(app: FastifyInstance, ctx: StatusContext & { readonly publicUrl: string | null }): Promise<void> {
  const read = createStatusReader(ctx);
  const digest = createHash("sha256").update(STATUS_STYLE).digest("base64");
  const policy = { "style-src": [`'sha256-${digest}'`], "img-src": ["data:"], "form-action": ["'none'"] };
  const respond = async (reply: FastifyReply, type: string, write: (snapshot: StatusSnapshot) => string) => {
    const snapshot = await read();
    if (snapshot.visibility !== "public") return reply.callNotFound();
    return await reply.type(`${type}; charset=utf-8`).header("cache-control", CACHED).send(write(snapshot));
  };
  const html = remembered(statusHtml);
  const json = remembered((snapshot) => JSON.stringify(statusView(snapshot)));
  const atom = remembered((snapshot) => atomFeed(snapshot, ctx.publicUrl));
  await app.register(async (scope) => {
    await securePages(scope, policy, ctx.publicUrl);
    scope.get("/status", async (_request, reply) => await respond(reply, "text/html", html));
    scope.get("/status.json", async (_request, reply) => await respond(reply, "application/json", json));
    scope.get("/status.atom", async (_request, reply) => await respond(reply, "application/atom+xml", atom));
  });
}

/** Writes each snapshot once, however many requests it answers. */
function remembered(write: (snapshot: StatusSnapshot) => string): (snapshot: StatusSnapshot) => string {
  const written = new WeakMap<StatusSnapshot, string>();
  return (snapshot) => {
    const text = written.get(snapshot) ?? write(snapshot);
    written.set(snapshot, text);
    return text;
  };
}
