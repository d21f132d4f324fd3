import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { type ConsoleContext, consoleApi } from "../console-api/plugin.ts";
import { isMigrated } from "../db/migrate.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { shownPath } from "../observe/redact.ts";
import { keyDoor } from "../operator-api/authenticate.ts";
import type { OperatorApiDependencies } from "../operator-api/dependencies.ts";
import { OPERATOR_SERVER_OPTIONS, operatorApi } from "../operator-api/plugin.ts";
import type { PortalContext } from "../portal-api/context.ts";
import { portalApi } from "../portal-api/plugin.ts";
import { portalRoutes } from "../portal-api/routes.ts";
import { docs } from "./docs.ts";
import { home } from "./home.ts";
import { type UpstreamDoor, upstreamCallbacks } from "./upstream-callbacks.ts";
import { webSite } from "./web.ts";

export type SiteContext = OperatorApiDependencies & {
  readonly portal: PortalContext;
  readonly console: ConsoleContext;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly upstream: UpstreamDoor;
  /** False until the start is through. */
  readonly isStarted: () => boolean;
};

/** A Fastify whose requests are counted and logged as all others are. */
function openSite(ctx: SiteContext): FastifyInstance {
  const app = Fastify({ ...OPERATOR_SERVER_OPTIONS, logger: false, genReqId: () => ctx.ids.request() });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ "x-request-id": request.id, "cache-control": "no-store" });
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
  app.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .headers({ "x-request-id": request.id, "cache-control": "no-store" })
      .send({ error: "not_found", message: "There is nothing at this address." }),
  );
  return app;
}

/** Everything that is not the client API: the operator API, the sites, the reference, health and metrics. */
export async function buildSite(ctx: SiteContext, parts: { readonly console: boolean }): Promise<FastifyInstance> {
  const app = openSite(ctx);
  health(app, ctx);
  await app.register(async (guarded) => {
    guarded.decorateRequest("caller", null).addHook("onRequest", keyDoor(ctx));
    guarded.get("/metrics", async (_request, reply) =>
      reply
        .type(ctx.metrics.registry.contentType)
        .header("cache-control", "no-store")
        .send(await ctx.metrics.registry.metrics()),
    );
  });
  home(app, ctx, parts);
  await app.register(docs);
  await app.register(portalApi(ctx.portal, portalRoutes(ctx.portal)), { prefix: "/portal/api" });
  await webSite(app, "portal", ctx.publicUrl);
  await app.register(upstreamCallbacks(ctx.upstream));
  await app.register(operatorApi(ctx), { prefix: "/api/operator/v1" });
  if (parts.console) await addConsole(app, ctx);
  await app.ready();
  return app;
}

async function addConsole(app: FastifyInstance, ctx: SiteContext): Promise<void> {
  await app.register(consoleApi(ctx.console, ctx), { prefix: "/console/api" });
  await webSite(app, "console", ctx.consoleUrl);
}

const GRACE_MILLISECONDS = 6_000;

/** The console on a port of its own, for a network that only the staff sees. */
export async function openConsolePort(
  ctx: SiteContext,
  host: string,
  port: number,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const app = openSite(ctx);
  await addConsole(app, ctx);
  app.get("/", async (_request, reply) => await reply.redirect("/console"));
  await app.listen({ host, port });
  return {
    port: (app.server.address() as AddressInfo).port,
    close: async () => {
      // A page that listens would hold it open.
      const cut = setTimeout(() => app.server.closeAllConnections(), GRACE_MILLISECONDS);
      await app.close();
      clearTimeout(cut);
    },
  };
}

function health(app: FastifyInstance, ctx: SiteContext): void {
  const plain = { "cache-control": "no-store" };
  app.get("/healthz", async (_request, reply) => reply.headers(plain).send({ status: "alive" }));
  app.get("/readyz", async (request, reply) => {
    try {
      if (!ctx.isStarted()) return await reply.code(503).headers(plain).send({ status: "not ready", reason: "starting" });
      if (await isMigrated(ctx.sql)) return await reply.headers(plain).send({ status: "ready" });
      return await reply.code(503).headers(plain).send({ status: "not ready", reason: "migrations are missing" });
    } catch (error) {
      ctx.log.warn({ request: request.id, err: error }, "not ready: the database does not answer");
      return await reply.code(503).headers(plain).send({ status: "not ready", reason: "the database does not answer" });
    }
  });
}

/** The metrics on a port of their own, for a network that only the monitoring sees. */
export async function openMetricsPort(metrics: Metrics, host: string, port: number): Promise<FastifyInstance> {
  const app = Fastify({ logger: false });
  app.get("/metrics", async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()));
  await app.listen({ host, port });
  return app;
}
