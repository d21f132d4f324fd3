import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { ACCOUNT_MODES, type AccountMode } from "../../../domain/accounts/account-mode.ts";
import { PasswordsBusy } from "../../../domain/auth/passwords/passwords.ts";
import { databaseTrouble } from "../../../platform/db/database-errors.ts";
import type { DatabaseHealth } from "../../../platform/db/servers/health.ts";
import { type Downloader, sendDownload } from "../download.ts";
import { sendEvents } from "../events.ts";
import { createViewers, type Viewers } from "../viewers.ts";
import { type CookieChange, type SiteAction, type SiteCall, type SiteSession, type Streamed, splitPath, WithCookie } from "./action.ts";
import { readStrictJson, UnreadableBody } from "./body-parser.ts";
import { assertOutput } from "./check-reply.ts";
import { readCookie, readDevices, readSignOn, type SiteName, writeCookies } from "./cookies.ts";
import { fieldFaults } from "./field-faults.ts";
import { addressOf, originOf, type SiteSettings } from "./origin.ts";
import { hasReadableQuery, textFaults } from "./readable.ts";
import { Refusal, wrongFields } from "./refusal.ts";
import { createTurns, SESSION_LIMITS, type SessionLimits, TOO_MANY_DOWNLOADS, TOO_MANY_REQUESTS } from "./session-limits.ts";
import { refusalOf } from "./site-gate.ts";

const STATUS: Readonly<Record<Refusal["error"], number>> = {
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

const BUSY = new Refusal("too_many_tries", "Too many people are signing in at once. Try again in a moment.", { retryAfterSeconds: 10 });

/** Only staff see why the database is unavailable. A change that was started may have been made. */
function databaseBusy<Who extends SiteSession>({ site, databaseHealth }: Site<Who>, method: string, isBegun: boolean): Refusal {
  const reason = site === "console" ? databaseHealth?.trouble() : undefined;
  const why = reason ? ` (${reason})` : "";
  return new Refusal("busy", `The service is currently unavailable${why}. ${whatNow(method, isBegun)}`, { retryAfterSeconds: 2 });
}

function whatNow(method: string, isBegun: boolean): string {
  if (method === "GET") return "Try again shortly.";
  return isBegun ? "Check whether the change was made before you try again." : "Nothing was changed. Try again shortly.";
}

const BUSY_SESSION = new Refusal("too_many_tries", TOO_MANY_REQUESTS.message, TOO_MANY_REQUESTS);
const DOWNLOADS_OPEN = new Refusal("too_many_tries", TOO_MANY_DOWNLOADS.message, TOO_MANY_DOWNLOADS);

const NO_ADDRESS = new Refusal("forbidden", "The forwarded address cannot be read. Ask whoever runs the proxy to send a plain IP address.");

/** Finds the session of a cookie's token; null if there is none. With `seen: false` it does not count as user activity. */
export type FindSession<Who extends SiteSession> = (token: string, look?: { readonly seen: boolean }) => Promise<Who | null>;

/** The context of a site's gate. */
export type SiteGateContext<Who extends SiteSession> = SiteSettings & {
  readonly clock: { readonly now: () => number };
  readonly findSession: FindSession<Who>;
  readonly databaseHealth?: Pick<DatabaseHealth, "isAway" | "trouble">;
  /** For tests. */
  readonly sessionLimits?: SessionLimits;
  /** For tests: a reply that its action's output schema does not describe is an error. */
  readonly checkReplies?: boolean;
  readonly log: { readonly error: (details: object, message: string) => void };
};

type Site<Who extends SiteSession> = SiteGateContext<Who> & {
  readonly site: SiteName;
  /** The session as actions see it while the page shows the data of this mode. */
  readonly inMode?: (session: Who, mode: AccountMode) => Promise<Who | Refusal>;
};

type ServedSite<Who extends SiteSession> = Site<Who> & { readonly downloads: Viewers };

/** A site's API, with one gate for all actions. `deps` is what their handlers get; a function gives it for each session. */
export function siteApi<Deps extends object, Who extends SiteSession>(
  ctx: Site<Who>,
  deps: Deps | ((session: Who | null) => Deps),
  actions: readonly SiteAction<Deps, Who>[],
): FastifyPluginAsync {
  return async (app) => {
    app.addHook("onRequest", async (request, reply) => {
      reply.headers({ "x-request-id": request.id, "cache-control": "no-store", "x-content-type-options": "nosniff" });
    });
    app.addHook("onRequest", async (request, reply) => {
      if (ctx.databaseHealth?.isAway()) return refuse(request, reply, databaseBusy(ctx, request.method, false));
    });
    readStrictJson(app);
    // A route instead of a not-found handler, because the site's page answers all other paths.
    app.all("/*", (request, reply) => refuse(request, reply, new Refusal("not_found", "There is no such endpoint.")));
    app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      if (error instanceof UnreadableBody) return refuse(request, reply, new Refusal("invalid_request", error.message));
      if (error instanceof PasswordsBusy) return refuse(request, reply, BUSY);
      if (error.statusCode !== undefined && error.statusCode < 500)
        return refuse(request, reply, new Refusal("invalid_request", "The request is malformed."));
      const about = { err: error, request: request.id, route: request.routeOptions.url };
      if (databaseTrouble(error) !== null) {
        ctx.log.error(about, `${ctx.site} request failed because of the database`);
        return refuse(request, reply, databaseBusy(ctx, request.method, true));
      }
      ctx.log.error(about, `${ctx.site} request failed`);
      return refuse(request, reply, new Refusal("internal_error", "An unexpected error occurred. Give the request id to support."));
    });
    const limits = ctx.sessionLimits ?? SESSION_LIMITS;
    const served = { ...ctx, downloads: createViewers(limits.downloads) };
    const runInTurn = createTurns(limits);
    for (const action of actions) {
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        // Before the session is looked up, so that a flood costs no queries.
        const token = tokenOf(ctx, request, originOf(ctx, request));
        const run = () => answer(served, deps, action, request, reply);
        const answered = token === null ? await run() : await runInTurn<Send | Refusal>(token, run, () => BUSY_SESSION);
        const sent = answered instanceof Refusal ? answered : answered();
        return sent instanceof Refusal ? refuse(request, reply, sent) : sent;
      };
      app.route({ ...splitPath(action), handler });
    }
  };
}

/** Sends the reply. Separate from the work for it, because a reply that is returned from there would be awaited to its end. */
type Send = () => FastifyReply | Refusal;

async function answer<Deps extends object, Who extends SiteSession>(
  ctx: ServedSite<Who>,
  depsOf: Deps | ((session: Who | null) => Deps),
  action: SiteAction<Deps, Who>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Send | Refusal> {
  const origin = originOf(ctx, request);
  const session = await sessionOf(ctx, request, origin);
  const asked = { ...action, ...splitPath(action) };
  const refusal = refusalOf(ctx.clock, asked, session, origin, request);
  if (refusal) return refusal;
  // Sign-ins are throttled by address. Without it, everybody behind the same proxy would be counted together.
  const address = addressOf(ctx, request);
  if (address === null) return NO_ADDRESS;
  const input = readInput(asked, request);
  if (input instanceof Refusal) return input;
  const acting = await sessionInMode(ctx, action, session, request);
  if (acting instanceof Refusal) return acting;
  const secure = origin.startsWith("https:");
  const deps = typeof depsOf === "function" ? depsOf(session) : depsOf;
  const call: Call<Deps, Who> = {
    ...{ deps, session: acting, input: input.value, requestId: request.id, address, origin },
    userAgent: (request.headers["user-agent"] ?? "").slice(0, 400),
    devices: readDevices(ctx.site, request.headers.cookie, secure),
    signOn: readSignOn(ctx.site, request.headers.cookie, secure),
  };
  const isStillAuthorized = async () => {
    const now = await sessionOf(ctx, request, origin, { seen: false });
    return isSame(session, now) && refusalOf(ctx.clock, { ...asked, proof: undefined }, now, origin, request) === null;
  };
  const sent = await run(action, call);
  if (sent instanceof Refusal) return sent;
  if (sent.kind !== "json") {
    const downloader = { person: session?.userId ?? "", downloads: ctx.downloads, isStillAuthorized };
    return () => sendStream(reply, sent, downloader) ?? DOWNLOADS_OPEN;
  }
  if (ctx.checkReplies) assertOutput(action.path, sent.output, sent.body);
  if (sent.cookie) reply.header("set-cookie", writeCookies(ctx.site, sent.cookie, secure));
  return () => reply.send(sent.body);
}

/** The query parameter `mode` says whose data the page shows. Without it, they are live. */
async function sessionInMode<Deps, Who extends SiteSession>(
  ctx: Site<Who>,
  action: SiteAction<Deps, Who>,
  session: Who | null,
  request: FastifyRequest,
): Promise<Who | null | Refusal> {
  const { mode } = request.query as { readonly mode?: unknown };
  if (mode === undefined) return session;
  const known = ACCOUNT_MODES.find((one) => one === mode);
  if (known === undefined) return wrongFields({ mode: "Must be live or test." });
  if (session === null || ctx.inMode === undefined || action.roles === "anyone" || action.ofClient) return session;
  return await ctx.inMode(session, known);
}

type Call<Deps, Who> = SiteCall<Deps, Who | null, unknown>;
type Sent =
  | Refusal
  | { readonly kind: "json"; readonly output: z.ZodType; readonly body: unknown; readonly cookie: CookieChange | null }
  | (Streamed & { readonly mediaType: string });

/** Runs the handler. The gate lets a call of a member's action through only with a session. */
async function run<Deps, Who extends SiteSession>(action: SiteAction<Deps, Who>, call: Call<Deps, Who>): Promise<Sent> {
  if (!("output" in action)) {
    const streamed = await action.handler(signedIn(call));
    return streamed instanceof Refusal ? streamed : { ...streamed, mediaType: action.mediaType };
  }
  const { output } = action;
  const result: unknown = action.roles === "anyone" ? await action.handler(call) : await action.handler(signedIn(call));
  if (result instanceof Refusal) return result;
  if (result instanceof WithCookie) return { kind: "json", output, body: result.body, cookie: result.cookie };
  return { kind: "json", output, body: result, cookie: null };
}

function signedIn<Deps, Who>(call: Call<Deps, Who>): SiteCall<Deps, Who, unknown> {
  const { session } = call;
  if (session === null) throw new Error("An action of signed-in users was called without a session.");
  return { ...call, session };
}

/** The session of a request, by its cookie. */
export async function sessionOf<Who extends SiteSession>(
  ctx: Site<Who>,
  request: FastifyRequest,
  origin: string,
  look?: { readonly seen: boolean },
): Promise<Who | null> {
  const token = tokenOf(ctx, request, origin);
  return token === null ? null : await ctx.findSession(token, look);
}

function tokenOf<Who extends SiteSession>(ctx: Site<Who>, request: FastifyRequest, origin: string): string | null {
  return readCookie(ctx.site, request.headers.cookie, origin.startsWith("https:"));
}

/** Whether both are the same session with the same role. */
export function isSame(before: SiteSession | null, now: SiteSession | null): boolean {
  return before?.sessionId === now?.sessionId && before?.role === now?.role;
}

/** The validated input of a request: its query or body, and the path's parameters. */
function readInput(
  { method, input }: { readonly method: string; readonly input: z.ZodType },
  request: FastifyRequest,
): { readonly value: unknown } | Refusal {
  const params = request.params as object;
  if (hasAny(textFaults(params))) return new Refusal("not_found", "There is no record with this id.");
  if (!hasReadableQuery(request.url)) return new Refusal("invalid_request", "An escape in the query is malformed.");
  const isRead = method === "GET";
  const { mode: _mode, ...query } = request.query as Readonly<Record<string, unknown>>;
  const sent = { ...(isRead ? query : (request.body as object)), ...params };
  const fields = isRead ? textFaults(sent) : {};
  if (hasAny(fields)) return wrongFields(fields);
  const parsed = z.safeParse(input, sent);
  return parsed.success ? { value: parsed.data } : wrongFields(fieldFaults(parsed.error));
}

function hasAny(fields: object): boolean {
  return Object.keys(fields).length > 0;
}

export function refuse(request: FastifyRequest, reply: FastifyReply, { error, message, fields, retryAfterSeconds }: Refusal): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  return reply.code(STATUS[error]).send({ error, message, request_id: request.id, ...(fields ? { fields } : {}) });
}

function sendStream(reply: FastifyReply, streamed: Exclude<Sent, Refusal | { kind: "json" }>, downloader: Downloader): FastifyReply | null {
  if (streamed.kind === "events") return sendEvents(reply, downloader.isStillAuthorized, streamed.events);
  const { name, content, mediaType } = streamed;
  return sendDownload(reply, downloader, { name, content, mediaType: `${mediaType}; charset=utf-8` });
}
