import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { PasswordsBusy } from "../../domain/auth/passwords/passwords.ts";
import { databaseTrouble } from "../../platform/db/database-errors.ts";
import type { DatabaseHealth } from "../../platform/db/health.ts";
import { readStrictJson, UnreadableBody } from "./body-parser.ts";
import { readCookie, readDevices, type SiteName, writeCookies } from "./cookies.ts";
import { sendEvents } from "./events.ts";
import { addressOf, originOf, type SiteSettings } from "./origin.ts";
import { hasReadableQuery, textFaults } from "./readable.ts";
import { type Fault, fault, type SiteAnswer, type SiteRoute, type SiteSession, type Visit } from "./route.ts";
import { refusalOf } from "./site-gate.ts";
import { type IsStillIn, sendWhileIn } from "./while-in.ts";

const STATUS: Readonly<Record<Fault["error"], number>> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  step_up_required: 403,
  not_found: 404,
  conflict: 409,
  too_many_tries: 429,
  internal_error: 500,
  busy: 503,
};

const BUSY = fault("too_many_tries", "Too many are signing in at once. Try again in a moment.", { retryAfterSeconds: 10 });

/** Only staff see why the database is unavailable. A change that was started may have been made. */
function databaseBusy<Who extends SiteSession>({ site, databaseHealth }: Site<Who>, method: string, isBegun: boolean): Fault {
  const reason = site === "console" ? databaseHealth?.trouble() : undefined;
  const why = reason ? ` (${reason})` : "";
  return fault("busy", `The service is currently unavailable${why}. ${whatNow(method, isBegun)}`, { retryAfterSeconds: 2 });
}

function whatNow(method: string, isBegun: boolean): string {
  if (method === "GET") return "Try again shortly.";
  return isBegun ? "Check whether the change was made before you try again." : "Nothing was changed. Try again shortly.";
}

const NO_ADDRESS = fault("forbidden", "The forwarded address cannot be read. Ask whoever runs the proxy to send a plain IP address.");

/** Finds the session of a cookie's token; null if there is none. With `seen: false` it does not count as user activity. */
export type FindSession<Who extends SiteSession> = (token: string, look?: { readonly seen: boolean }) => Promise<Who | null>;

/** The context of a site's gate. */
export type SiteGateContext<Who extends SiteSession> = SiteSettings & {
  readonly clock: { readonly now: () => number };
  readonly findSession: FindSession<Who>;
  readonly databaseHealth?: Pick<DatabaseHealth, "isAway" | "trouble">;
  readonly log: { readonly error: (details: object, message: string) => void };
};

type Site<Who extends SiteSession> = SiteGateContext<Who> & { readonly site: SiteName };

/** A site's API, with one gate for all routes. */
export function siteApi<Who extends SiteSession>(ctx: Site<Who>, routes: readonly SiteRoute<Who>[]): FastifyPluginAsync {
  return async (app) => {
    app.addHook("onRequest", async (request, reply) => {
      reply.headers({ "x-request-id": request.id, "cache-control": "no-store", "x-content-type-options": "nosniff" });
    });
    app.addHook("onRequest", async (request, reply) => {
      if (ctx.databaseHealth?.isAway()) return refuse(request, reply, databaseBusy(ctx, request.method, false));
    });
    readStrictJson(app);
    // A route instead of a not-found handler, because the site's page answers all other paths.
    app.all("/*", (request, reply) => refuse(request, reply, fault("not_found", "There is no such endpoint.")));
    app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      if (error instanceof UnreadableBody) return refuse(request, reply, fault("invalid_request", error.message));
      if (error instanceof PasswordsBusy) return refuse(request, reply, BUSY);
      if (error.statusCode !== undefined && error.statusCode < 500)
        return refuse(request, reply, fault("invalid_request", "The request is malformed."));
      const about = { err: error, request: request.id, route: request.routeOptions.url };
      if (databaseTrouble(error) !== null) {
        ctx.log.error(about, `${ctx.site} request failed because of the database`);
        return refuse(request, reply, databaseBusy(ctx, request.method, true));
      }
      ctx.log.error(about, `${ctx.site} request failed`);
      return refuse(request, reply, fault("internal_error", "An unexpected error occurred. Give the request id to support."));
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

async function answer<Who extends SiteSession>(
  ctx: Site<Who>,
  route: SiteRoute<Who>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const origin = originOf(ctx, request);
  const session = await sessionOf(ctx, request, origin);
  const refusal = refusalOf(ctx.clock, route, session, origin, request);
  if (refusal) return refuse(request, reply, refusal);
  // Sign-ins are throttled by address. Without it, everybody behind the same proxy would be counted together.
  const address = addressOf(ctx, request);
  if (address === null) return refuse(request, reply, NO_ADDRESS);
  const params = request.params as object;
  if (hasAny(textFaults(params))) return refuse(request, reply, fault("not_found", "There is no record with this id."));
  if (!hasReadableQuery(request.url)) return refuse(request, reply, fault("invalid_request", "An escape in the query is malformed."));
  const sent = { ...((route.method === "GET" ? request.query : request.body) as object), ...params };
  const fields = route.method === "GET" ? textFaults(sent) : {};
  if (hasAny(fields)) return refuse(request, reply, fault("invalid_request", `Not valid: ${Object.keys(fields).join(", ")}.`, { fields }));
  const parsed = z.safeParse(route.input, sent);
  if (!parsed.success) return refuse(request, reply, invalid(parsed.error));
  const visit: Visit<never, never> = {
    session: session as never,
    input: parsed.data as never,
    requestId: request.id,
    address,
    userAgent: (request.headers["user-agent"] ?? "").slice(0, 400),
    devices: readDevices(ctx.site, request.headers.cookie, origin.startsWith("https:")),
    origin,
  };
  const isStillAuthorized = async () => {
    const now = await sessionOf(ctx, request, origin, { seen: false });
    return isSame(session, now) && refusalOf(ctx.clock, { ...route, stepUp: false }, now, origin, request) === null;
  };
  return await send(ctx, request, reply, await route.handle(visit), origin, isStillAuthorized);
}

/** The session of a request, by its cookie. */
export async function sessionOf<Who extends SiteSession>(
  ctx: Site<Who>,
  request: FastifyRequest,
  origin: string,
  look?: { readonly seen: boolean },
): Promise<Who | null> {
  const token = readCookie(ctx.site, request.headers.cookie, origin.startsWith("https:"));
  return token === null ? null : await ctx.findSession(token, look);
}

/** Whether both are the same session with the same role. */
export function isSame(before: SiteSession | null, now: SiteSession | null): boolean {
  return before?.sessionId === now?.sessionId && before?.role === now?.role;
}

function hasAny(fields: object): boolean {
  return Object.keys(fields).length > 0;
}

function invalid(error: z.ZodError): Fault {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) fields[issue.path.join(".") || "body"] ??= issue.message;
  return fault("invalid_request", `Not valid: ${Object.keys(fields).join(", ")}.`, { fields });
}

export function refuse(request: FastifyRequest, reply: FastifyReply, { error, message, fields, retryAfterSeconds }: Fault): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  return reply.code(STATUS[error]).send({ error, message, request_id: request.id, ...(fields ? { fields } : {}) });
}

async function send(
  { site }: { readonly site: SiteName },
  request: FastifyRequest,
  reply: FastifyReply,
  answered: SiteAnswer,
  origin: string,
  isStillAuthorized: IsStillIn,
): Promise<FastifyReply> {
  if (answered.kind === "fault") return refuse(request, reply, answered);
  if (answered.kind === "events") return sendEvents(reply, isStillAuthorized, answered.events);
  if (answered.kind === "file") {
    reply.type(answered.type).header("content-disposition", `attachment; filename="${answered.name}"`);
    return sendWhileIn(reply, isStillAuthorized, () => answered.content);
  }
  if (answered.cookie) reply.header("set-cookie", writeCookies(site, answered.cookie, origin.startsWith("https:")));
  return reply.send(answered.body);
}
