import type { FastifyInstance, FastifyRequest } from "fastify";
import { parseTraceparent } from "../../platform/observability/traces/trace-context.ts";
import { startSpan } from "../../platform/observability/traces/tracer.ts";

type Started = NonNullable<ReturnType<typeof startSpan>>;

/** A span for each request of the sites and the operator API. While traces are off, the hooks return at once. */
export function traceRequests(app: FastifyInstance): void {
  const started = new WeakMap<FastifyRequest, Started>();
  app.addHook("onRequest", (request, _reply, done) => {
    const { method } = request;
    const header = request.headers["traceparent"];
    const parent = parseTraceparent(typeof header === "string" ? header : undefined);
    const span = startSpan({ name: method, kind: "server", parent, attributes: { "http.request.method": method } });
    if (span === null) return done();
    started.set(request, span);
    span.enter(done);
  });
  app.addHook("onResponse", async (request, reply) => {
    const { span, finish } = started.get(request) ?? {};
    if (!span || !finish) return;
    const route = request.routeOptions.url;
    span.name = route === undefined ? request.method : `${request.method} ${route}`;
    span.isError = reply.statusCode >= 500;
    span.set({
      "http.response.status_code": reply.statusCode,
      "corprail.request_id": request.id,
      ...(route === undefined ? {} : { "http.route": route }),
    });
    finish();
  });
}
