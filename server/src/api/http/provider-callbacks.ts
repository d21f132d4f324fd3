import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  type CallbackRefusal,
  type CallbackRefusalReason,
  isRefusal,
  refusedCallback,
} from "../../domain/providers/callbacks/refused-callback.ts";
import type { RefusedCallbacks } from "../../domain/providers/callbacks/refused-callbacks.ts";
import type { ProviderMessage, Report } from "../../domain/providers/connector.ts";
import type { ProviderRegistry } from "../../domain/providers/registry.ts";
import type { GateContext } from "../client/gate/gate.ts";
import { readHead } from "../client/gate/request-head.ts";
import { sourceAddress } from "../client/gate/source-address.ts";
import { peerAddress } from "../client/peer.ts";

export type ProviderCallbackHandlers = {
  readonly providerRegistry: Pick<ProviderRegistry, "readCallback" | "callbackReply" | "callbackExcerpt" | "isProvider">;
  /** Applies a status report. Returns null if it was applied, else the reason for the refusal. */
  readonly applyReport: (report: Report, provider: string) => Promise<CallbackRefusalReason | null>;
  readonly refusedCallbacks: Pick<RefusedCallbacks, "keep">;
  readonly countCallback: (provider: string, outcome: string) => void;
};

const BODY_BYTES = 64 * 1024;
// Contract, section 2, check 3: if a proxy's entry is not an address, the source is unknown; it is not the proxy.
const UNREADABLE = "unreadable";

// Some providers append a path of their own, such as /payment/status.
const URLS = ["/upstream/:provider/callback", "/upstream/:provider/callback/*"];

type CallbackParams = { readonly provider: string; readonly "*"?: string };
type CallbackRequest = FastifyRequest<{ Params: CallbackParams }>;
type ReceivedRequest = { readonly provider: string; readonly message: ProviderMessage; readonly source: string };

/** Receives callbacks from providers. Each provider authenticates with its own secret. */
export function providerCallbackRoutes(
  handlers: ProviderCallbackHandlers,
  gate: Pick<GateContext, "trustedProxies">,
): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    // A signature covers the exact bytes, so the body is not parsed, whatever its content type.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "string", bodyLimit: BODY_BYTES }, async (_request: unknown, body: string | Buffer) =>
      String(body),
    );
    for (const url of URLS)
      app.route<{ Params: CallbackParams }>({
        method: ["GET", "POST"],
        url,
        // The body is too large or of a wrong kind. The error is answered as everywhere else.
        errorHandler: (error, request) => {
          if ((error.statusCode ?? 500) < 500) keepUnreadable(handlers, receivedRequest(gate, request));
          throw error;
        },
        handler: (request, reply) => answerCallback(handlers, receivedRequest(gate, request), request, reply),
      });
  };
}

async function answerCallback(
  handlers: ProviderCallbackHandlers,
  received: ReceivedRequest,
  request: CallbackRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { query, body } = received.message;
  reply.headers({ "x-request-id": request.id, "cache-control": "no-store" });
  // PostgreSQL cannot store NUL in text.
  if ([body, ...Object.values(query)].some((text) => text.includes("\0"))) {
    keepUnreadable(handlers, received);
    return await reply.code(400).send({ error: "invalid_request", message: "The callback contains a NUL character." });
  }
  const refused = await receiveCallback(handlers, received);
  // The same answer for an unknown provider and a wrong secret, so that it reveals nothing.
  if (refused && !ACKNOWLEDGED.has(refused.refused))
    return await reply.code(403).send({ error: "forbidden", message: "The callback could not be authenticated." });
  const own = handlers.providerRegistry.callbackReply(received.provider, received.message);
  return await (own ? reply.code(own.status).type(own.contentType).send(own.body) : reply.send({ status: "received" }));
}

function receivedRequest(gate: Pick<GateContext, "trustedProxies">, request: CallbackRequest): ReceivedRequest {
  const body = typeof request.body === "string" ? request.body : "";
  const query = texts(request.query as Record<string, unknown>);
  const source = sourceOf(gate, request);
  const rest = request.params["*"];
  const path = rest === undefined ? "" : `/${rest}`;
  const message = { method: request.method, path, source, query, headers: texts(request.headers), body };
  return { provider: request.params.provider, message, source };
}

function sourceOf(
  { trustedProxies }: Pick<GateContext, "trustedProxies">,
  { socket, raw }: Pick<FastifyRequest, "socket" | "raw">,
): string {
  const peer = peerAddress(socket);
  const source = peer && sourceAddress(peer, readHead(raw.rawHeaders), trustedProxies);
  return source?.toString() ?? UNREADABLE;
}

// The provider gets 200 for these, because sending the callback again would change nothing.
const ACKNOWLEDGED: ReadonlySet<CallbackRefusalReason> = new Set([
  "unknown_status",
  "unknown_reference",
  "other_provider",
  "differs",
  "contradicts",
]);

/** Applies a callback. A refused one is stored with the reason, for staff. */
async function receiveCallback(handlers: ProviderCallbackHandlers, received: ReceivedRequest): Promise<CallbackRefusal | null> {
  const { provider, message } = received;
  const reading = handlers.providerRegistry.readCallback(provider, message);
  const refused = isRefusal(reading) ? reading : await refusalOf(handlers, reading, provider);
  if (refused === null) {
    handlers.countCallback(provider, "taken");
    return null;
  }
  keepRefused(handlers, received, refused);
  return refused;
}

/** A made-up name is never stored or counted: anybody could send any number of them. */
function keepUnreadable(handlers: ProviderCallbackHandlers, received: ReceivedRequest): void {
  const isKnown = handlers.providerRegistry.isProvider(received.provider);
  keepRefused(handlers, received, refusedCallback(isKnown ? "unreadable" : "unknown_provider"));
}

function keepRefused(handlers: ProviderCallbackHandlers, { provider, message, source }: ReceivedRequest, refused: CallbackRefusal): void {
  handlers.refusedCallbacks.keep({
    ...refused,
    provider: refused.refused === "unknown_provider" ? null : provider,
    method: message.method,
    source,
    excerpt: handlers.providerRegistry.callbackExcerpt(provider, message),
  });
}

async function refusalOf(handlers: ProviderCallbackHandlers, report: Report, provider: string): Promise<CallbackRefusal | null> {
  const reason = await handlers.applyReport(report, provider);
  return reason === null ? null : { refused: reason, authentic: true, reference: report.reference };
}

/** Ignores parameters that occur twice, because they are ambiguous. */
function texts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
