import { busy, RETRY_AFTER_SECONDS } from "../../domain/shared/refusals.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { pathOf } from "../client/gate/request-target.ts";
import { type Reply, refusalReply } from "../client/replies.ts";
import { writeReply } from "./client-api.ts";
import { inErrorFormatOf } from "./error-format.ts";
import { createGuardedServer } from "./guarded-server.ts";

export type NotReadyServer = { readonly port: number; readonly close: () => Promise<void> };

type Options = { readonly host: string; readonly port: number; readonly ids: Ids; readonly reason: string };

const SIGNED = /^\/api\/corp\/v1\/(?:bills|transfers|bus|aeps)\//;

function notReady(reason: string): Reply {
  return { status: 503, body: { status: "not ready", reason }, headers: { "Retry-After": String(RETRY_AFTER_SECONDS) } };
}

/** Listens while the service cannot start: `/healthz` is 200, `/readyz` is 503 with the reason, the rest is 503 busy. */
export async function startNotReadyServer({ host, port, ids, reason }: Options): Promise<NotReadyServer> {
  const { server, refuse } = createGuardedServer(ids, (request, response) => {
    const requestId = ids.request();
    const path = pathOf(request.url ?? "");
    if (path === "/healthz") return writeReply(request, response, { status: 200, body: { status: "alive" } }, requestId);
    if (path === "/readyz") return writeReply(request, response, notReady(reason), requestId);
    const outcome = request.method === "POST" ? "nothing created" : "nothing changed";
    const reply = refusalReply(busy(outcome), { reference: null, signedService: SIGNED.test(path) });
    writeReply(request, response, inErrorFormatOf(path, reply, requestId), requestId);
  });
  server.on("clientError", refuse);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => resolve());
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
