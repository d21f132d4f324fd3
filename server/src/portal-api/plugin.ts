import { Readable } from "node:stream";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { PasswordsBusy } from "../people/passwords.ts";
import { readStrictJson, UnreadableBody } from "../site-kit/body-parser.ts";
import type { PortalGateContext } from "./context.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import { sendEvents } from "./events.ts";
import { addressOf, isOwnPage, originOf } from "./origin.ts";
import { type Fault, fault, type MemberRoute, type PortalAnswer, type PortalRoute, type Visit } from "./route.ts";
import type { Session } from "./session.ts";

const STATUS: Readonly<Record<Fault["error"], number>> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  step_up_required: 403,
  not_found: 404,
  conflict: 409,
  too_many_tries: 429,
  internal_error: 500,
};

const BUSY = fault("too_many_tries", "Too many are signing in at once. Try again in a moment.", { retryAfterSeconds: 10 });
const PROOF_MILLISECONDS = 5 * 60_000;

/** The portal's JSON, to be registered under /portal/api: one gate for every route of the table. */
export function portalApi(ctx: PortalGateContext, routes: readonly PortalRoute[]): FastifyPluginAsync {
  return async (app) => {
    app.addHook("onRequest", async (request, reply) => {
      reply.headers({ "x-request-id": request.id, "cache-control": "no-store", "x-content-type-options": "nosniff" });
    });
    readStrictJson(app);
    // A route, not a handler of what is not found: the site's pages answer every address below /portal that has none.
    app.all("/*", (request, reply) => refuse(request, reply, fault("not_found", "There is no such call.")));
    app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      if (error instanceof UnreadableBody) return refuse(request, reply, fault("invalid_request", error.message));
      if (error instanceof PasswordsBusy) return refuse(request, reply, BUSY);
      if (error.statusCode !== undefined && error.statusCode < 500)
        return refuse(request, reply, fault("invalid_request", "The request cannot be read."));
      ctx.log.error({ err: error, request: request.id, route: request.routeOptions.url }, "a call of the portal failed");
      return refuse(request, reply, fault("internal_error", "Something went wrong here. The request id helps to find out what."));
    });
    for (const route of routes) {
      app.route({
        method: route.method,
        url: route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
        handler: async (request, reply) => await answer(ctx, route, request, reply),
      });
    }
  };
}

async function answer(ctx: PortalGateContext, route: PortalRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const origin = originOf(ctx, request);
  const token = readCookie(request.headers.cookie, origin.startsWith("https:"));
  const session = token === null ? null : await ctx.findSession(token);
  const refusal = gate(ctx, route, session, origin, request);
  if (refusal) return refuse(request, reply, refusal);
  const params = request.params as object;
  if (hasNul(params)) return refuse(request, reply, fault("not_found", "There is nothing of that name."));
  const sent = { ...((route.method === "GET" ? request.query : request.body) as object), ...params };
  if (hasNul(sent)) return refuse(request, reply, fault("invalid_request", "The request cannot be read: it has a NUL in it."));
  const parsed = z.safeParse(route.input, sent);
  if (!parsed.success) return refuse(request, reply, invalid(parsed.error));
  const visit: Visit<never, never> = {
    session: session as never,
    input: parsed.data as never,
    requestId: request.id,
    address: addressOf(ctx, request),
    userAgent: (request.headers["user-agent"] ?? "").slice(0, 400),
    origin,
  };
  return await send(request, reply, await route.handle(visit), origin);
}

/** In this order: a page of ours, signed in, its token, the role, and who they are proved lately where that matters. */
function gate(ctx: PortalGateContext, route: PortalRoute, session: Session | null, origin: string, request: FastifyRequest): Fault | null {
  if (route.method === "POST" && !isOwnPage(origin, request))
    return fault("forbidden", "A change must be asked for by a page of this site.");
  if (route.who === "anyone") return null;
  if (session?.stage !== "full") return fault("unauthorized", "Sign in first.");
  if (route.method === "POST" && request.headers["x-csrf-token"] !== session.csrfToken)
    return fault("forbidden", "The page is out of date. Load it again.");
  return memberFault(ctx, route, session);
}

function memberFault(ctx: PortalGateContext, route: MemberRoute, session: Session): Fault | null {
  if (!route.who.includes(session.role)) return fault("forbidden", "Your role does not allow this. An owner of the account can change it.");
  if (route.stepUp && ctx.clock.now() - session.provedAt > PROOF_MILLISECONDS)
    return fault("step_up_required", "Confirm that it is you, then try again.");
  return null;
}

/** No text of the database holds one, so nothing is called that. */
function hasNul(fields: object): boolean {
  return Object.values(fields).some((value) => typeof value === "string" && value.includes("\0"));
}

function invalid(error: z.ZodError): Fault {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) fields[issue.path.join(".") || "body"] ??= issue.message;
  return fault("invalid_request", `Not valid: ${Object.keys(fields).join(", ")}.`, { fields });
}

function refuse(request: FastifyRequest, reply: FastifyReply, { error, message, fields, retryAfterSeconds }: Fault): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  return reply.code(STATUS[error]).send({ error, message, request_id: request.id, ...(fields ? { fields } : {}) });
}

async function send(request: FastifyRequest, reply: FastifyReply, answered: PortalAnswer, origin: string): Promise<FastifyReply> {
  if (answered.kind === "fault") return refuse(request, reply, answered);
  if (answered.kind === "events") return sendEvents(reply, answered.events);
  if (answered.kind === "file") {
    reply.type(answered.type).header("content-disposition", `attachment; filename="${answered.name}"`);
    return reply.send(Readable.from(answered.content));
  }
  if (answered.cookie) reply.header("set-cookie", writeCookie(answered.cookie, origin.startsWith("https:")));
  return reply.send(answered.body);
}
