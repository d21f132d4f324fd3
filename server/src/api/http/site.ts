import type { AddressInfo } from "node:net";
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from "fastify";
import { RETRY_AFTER_SECONDS } from "../../domain/shared/refusals.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { ClockWatch } from "../../platform/db/database-clock.ts";
import { databaseTrouble } from "../../platform/db/database-errors.ts";
import type { DatabaseHealth } from "../../platform/db/servers/health.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { Metrics } from "../../platform/observability/metrics.ts";
import { OPEN_METRICS_TYPE, toOpenMetrics, wantsOpenMetrics } from "../../platform/observability/open-metrics.ts";
import { shownPath } from "../../platform/observability/redact.ts";
import { pathOf } from "../client/gate/request-target.ts";
import { authenticateKey } from "../operator/authenticate.ts";
import { type ConsoleContext, consoleApi } from "../operator/console/plugin.ts";
import type { OperatorApiDependencies } from "../operator/dependencies.ts";
import { OPERATOR_SERVER_OPTIONS, operatorApi } from "../operator/plugin.ts";
import type { PortalContext } from "../portal/context.ts";
import { portalApi, portalDependencies } from "../portal/plugin.ts";
import { backChannelLogoutRoute } from "./back-channel-logout.ts";
import { errorBody } from "./error-format.ts";
import { createGuardedServer, type GuardedServer } from "./guarded-server.ts";
import { listenFault } from "./listen-fault.ts";
import { docs } from "./pages/docs.ts";
import { home } from "./pages/home.ts";
import { webSite } from "./pages/static-site.ts";
import { statusPage } from "./pages/status-page.ts";
import { type ProviderCallbackHandlers, providerCallbackRoutes } from "./provider-callbacks.ts";
import { traceRequests } from "./trace-requests.ts";

/** What the site is built from: the dependencies of its three APIs, and what all of its requests share. */
export type SiteContext = {
  readonly operator: OperatorApiDependencies;
  readonly portal: PortalContext;
  readonly console: ConsoleContext;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly providerCallbacks: ProviderCallbackHandlers;
  /** False until the start is complete. */
  readonly isStarted: () => boolean;
  readonly clockWatch: Pick<ClockWatch, "fault">;
  readonly databaseHealth: Pick<DatabaseHealth, "isAway" | "trouble" | "confirm">;
  /** True after the stop signal, so that load balancers send requests elsewhere. */
  readonly isStopping: () => boolean;
};

type Logging = { readonly ids: Ids; readonly log: Pick<Log, "error"> };

/** Creates a Fastify app whose own errors have the documented format of the path. */
function createApp({ ids, log }: Logging, own: Pick<FastifyServerOptions, "serverFactory" | "clientErrorHandler"> = {}): FastifyInstance {
  const refuse = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const isBusy = databaseTrouble(error) !== null;
    if (isBusy) reply.header("retry-after", "2");
    const known = isBusy ? BUSY : knownError(error);
    if (known === undefined) log.error({ err: error, request: request.id }, "request failed unexpectedly");
    const [status, name, message] = known ?? UNEXPECTED;
    reply.code(status).headers({ "x-request-id": request.id, "cache-control": "no-store" });
    return reply.send(errorBody(pathOf(request.url), name, message, request.id));
  };
  const app = Fastify({ ...OPERATOR_SERVER_OPTIONS, ...own, logger: false, genReqId: () => ids.request(), frameworkErrors: refuse });
  app.setErrorHandler(refuse);
  return app.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .headers({ "x-request-id": request.id, "cache-control": "no-store" })
      .send(errorBody(pathOf(request.url), "not_found", "There is no such page or endpoint.", request.id)),
  );
}

function knownError({ statusCode }: FastifyError) {
  return statusCode !== undefined && statusCode < 500 ? (KNOWN[statusCode] ?? KNOWN[400]) : undefined;
}

const KNOWN: Readonly<Record<number, readonly [status: number, error: string, message: string]>> = {
  400: [400, "invalid_request", "The request is malformed."],
  413: [413, "body_too_large", "The body is too large."],
  415: [415, "unsupported_media_type", "The body's media type is not supported here."],
};
const BUSY = [503, "busy", "The service is busy. Try again shortly."] as const;
const UNEXPECTED = [500, "internal_error", "An unexpected error occurred. Give the request id to support."] as const;

/** Creates an app on a separate port, with the timeouts and checks of the main port. */
function createAppOnPort(ctx: Logging): FastifyInstance {
  const guarded: { refuse?: GuardedServer["refuse"] } = {};
  return createApp(ctx, {
    serverFactory: (handler) => {
      const { server, refuse } = createGuardedServer(ctx.ids, handler);
      guarded.refuse = refuse;
      return server;
    },
    clientErrorHandler: (error, socket) => guarded.refuse?.(error, socket),
  });
}

async function listenOn(app: FastifyInstance, address: { readonly host: string; readonly port: number }, variable: string): Promise<void> {
  try {
    await app.listen(address);
  } catch (error) {
    throw error instanceof Error ? listenFault(address, variable, error) : error;
  }
}

/** Records metrics and log lines of the app's requests. */
function recordRequests(app: FastifyInstance, ctx: Pick<SiteContext, "log" | "metrics">): void {
  traceRequests(app);
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ "x-request-id": request.id, "cache-control": "no-store" });
  });
  app.addHook("onSend", async (_request, reply) => {
    if (reply.statusCode === 503 && !reply.hasHeader("retry-after")) reply.header("retry-after", RETRY_AFTER_SECONDS);
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "unknown";
    ctx.metrics.request(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    ctx.log.info(
      {
        request: request.id,
        method: request.method,
        path: shownPath(request.url),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 100) / 100,
      },
      "request",
    );
  });
}

/** Builds everything except the client API: operator API, portal, console, API reference, health and metrics. */
export async function buildSite(ctx: SiteContext, parts: { readonly console: boolean }): Promise<FastifyInstance> {
  const app = createApp(ctx);
  recordRequests(app, ctx);
  health(app, ctx);
  await app.register(async (guarded) => {
    guarded.decorateRequest("caller", null).addHook("onRequest", authenticateKey(ctx.operator));
    guarded.get("/metrics", async (request, reply) => await sendMetrics(ctx.metrics, request, reply));
  });
  await home(app, ctx.operator, parts);
  await statusPage(app, ctx.operator);
  await app.register(docs, { hasConsole: parts.console, api: { publicUrl: ctx.operator.publicUrl, port: () => null } });
  await app.register(portalApi(portalDependencies(ctx.portal)), { prefix: "/portal/api" });
  await webSite(app, "portal", ctx.operator.publicUrl);
  await app.register(providerCallbackRoutes(ctx.providerCallbacks, ctx.portal));
  const realms = { portal: ctx.portal.auth, console: ctx.console.auth };
  await app.register(backChannelLogoutRoute({ realms, oidc: ctx.portal.oidc, settings: ctx.portal }));
  await app.register(operatorApi(ctx.operator), { prefix: "/api/operator/v1" });
  if (parts.console) await addConsole(app, ctx);
  await app.ready();
  return app;
}

async function addConsole(app: FastifyInstance, ctx: Pick<SiteContext, "console" | "operator">): Promise<void> {
  await app.register(consoleApi(ctx.console, ctx.operator), { prefix: "/console/api" });
  await webSite(app, "console", ctx.operator.consoleUrl);
}

const GRACE_MILLISECONDS = 6_000;

/** Serves the console and the API references on a separate port, for a network that only staff can reach. */
export async function startConsolePort(
  ctx: Pick<SiteContext, "console" | "operator" | "ids" | "log" | "metrics">,
  host: string,
  port: number,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const app = createAppOnPort(ctx);
  recordRequests(app, ctx);
  await addConsole(app, ctx);
  const { publicUrl, ports } = ctx.operator;
  await app.register(docs, { hasConsole: true, api: { publicUrl, port: () => ports()?.portal ?? null } });
  app.get("/", async (_request, reply) => await reply.redirect("/console"));
  await listenOn(app, { host, port }, "CORPRAIL_CONSOLE_PORT");
  return {
    port: (app.server.address() as AddressInfo).port,
    close: async () => {
      // Live views keep their connections open.
      const cut = setTimeout(() => app.server.closeAllConnections(), GRACE_MILLISECONDS);
      await app.close();
      clearTimeout(cut);
    },
  };
}

async function sendMetrics(metrics: Metrics, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const text = await metrics.text();
  reply.header("cache-control", "no-store");
  if (!wantsOpenMetrics(request.headers.accept)) return reply.type(metrics.registry.contentType).send(text);
  return reply.type(OPEN_METRICS_TYPE).send(toOpenMetrics(text, metrics.exemplars));
}

type HealthContext = Pick<SiteContext, "isStopping" | "isStarted" | "databaseHealth" | "clockWatch">;

function health(app: FastifyInstance, ctx: HealthContext): void {
  const plain = { "cache-control": "no-store" };
  // Some load balancers ask with HEAD.
  const withHead = { exposeHeadRoute: true };
  app.get("/healthz", withHead, async (_request, reply) => reply.headers(plain).send({ status: "alive" }));
  app.get("/readyz", withHead, async (_request, reply) => {
    const reason = ctx.isStopping() ? "stopping" : ctx.isStarted() ? await fault(ctx) : "starting";
    if (reason === null) return await reply.headers(plain).send({ status: "ready" });
    return await reply.code(503).headers(plain).send({ status: "not ready", reason });
  });
}

// Contract, section 9b: "ready" must be true of the database at the time of the reply, not of its last check.
async function fault({ databaseHealth, clockWatch }: HealthContext): Promise<string | null> {
  return (await databaseHealth.confirm()) ?? clockWatch.fault();
}

/**
 * Serves the metrics on a separate port, for a network that only monitoring can reach. Health checks are answered there
 * too, because they do not wait behind a flood of client connections.
 */
export async function startMetricsPort(
  ctx: HealthContext & Logging & Pick<SiteContext, "metrics">,
  host: string,
  port: number,
): Promise<FastifyInstance> {
  const { metrics } = ctx;
  const app = createAppOnPort(ctx);
  health(app, ctx);
  app.get("/metrics", async (request, reply) => await sendMetrics(metrics, request, reply));
  await listenOn(app, { host, port }, "CORPRAIL_METRICS_PORT");
  return app;
}
