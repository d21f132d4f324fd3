import type { Route } from "../../domain/client-api/route.ts";
import { type Refusal, refused } from "../../domain/shared/refusals.ts";
import { isReference } from "../../platform/core/reference.ts";
import { type JsonObject, parseStrictJson } from "../../platform/core/strict-json.ts";
import { DEFAULT_BODY_LIMIT_BYTES } from "./gate/gate.ts";
import { type RequestHead, readHead } from "./gate/request-head.ts";
import { parameter, parseQuery, pathFault, pathOf, type Query, withoutTrailingSlash } from "./gate/request-target.ts";
import type { Incoming } from "./incoming.ts";
import { NO_BODY, type ReadBody } from "./read-body.ts";
import type { Echo } from "./replies.ts";
import type { Match, RouteTable } from "./route-table.ts";

/** A request as it was sent, before anything is believed about it. */
export type ReceivedRequest = {
  readonly match: Match;
  /** Null when the target leads nowhere. */
  readonly route: Route | null;
  /** With its prefix, without a trailing slash: as it is signed. */
  readonly path: string;
  readonly head: RequestHead;
  readonly query: Query;
  /** Null when it is larger than the route allows. */
  readonly body: Uint8Array | null;
  /** What is wrong with its shape (contract, section 2, check 1). */
  readonly fault: Refusal | null;
};

/**
 * Reads a request to its end; null when the sender went away before. The body comes before any check,
 * because even a refused token echoes the reference that it was sent with.
 */
export function readRequest(table: RouteTable, request: Incoming): ReceivedRequest | null | Promise<ReceivedRequest | null> {
  const path = withoutTrailingSlash(pathOf(request.target));
  const head = readHead(request.rawHeaders);
  const match = table.match(request.method, path);
  const route = match.kind === "route" ? match.route : null;
  const sofar = { match, route, path, head };
  if (!head.announcesBody) return receivedWith(request, sofar, null);
  const read = request.read(route?.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES);
  return read instanceof Promise ? read.then((late) => receivedWith(request, sofar, late)) : receivedWith(request, sofar, read);
}

type RequestLine = Pick<ReceivedRequest, "match" | "route" | "path" | "head">;

function receivedWith(
  { method, target }: Incoming,
  { match, route, path, head }: RequestLine,
  read: ReadBody | null,
): ReceivedRequest | null {
  if (read?.kind === "cut off") return null;
  const query = parseQuery(target);
  const queryFault = query.fault === null ? null : refused("invalid_request", query.fault);
  const bodyFault = read !== null && method === "GET" ? refused("invalid_request", "A GET carries no body.") : null;
  return {
    match,
    route,
    path,
    head,
    query: query.query,
    body: read === null ? NO_BODY : read.kind === "whole" ? read.bytes : null,
    fault: targetFault(pathOf(target), match) ?? queryFault ?? bodyFault,
  };
}

function targetFault(path: string, match: Match): Refusal | null {
  const fault = pathFault(path);
  if (fault) return refused("invalid_request", fault);
  if (match.kind === "unknown") return refused("not_found", "There is no such path.");
  return match.kind === "wrong method" ? refused("method_not_allowed", `This path answers ${match.allowed.join(" and ")} only.`) : null;
}

/** What a refusal repeats of the request. */
export function echoOf(received: ReceivedRequest): Echo {
  const service = received.match.kind === "wrong method" ? received.match.service : received.route?.service;
  const signedService = service !== undefined && service !== "recharge";
  const name = signedService ? "request_id" : "urid";
  const inBody = bodyObject(received)[name];
  const reference = isReference(inBody) ? inBody : parameter(received.query, name);
  return { reference: isReference(reference) ? reference : null, signedService };
}

/** The body as far as it can be read; empty when it cannot. */
export function bodyObject(received: ReceivedRequest): JsonObject {
  if (received.body === null || received.body.length === 0) return {};
  const parsed = parseStrictJson(received.body);
  return parsed.ok ? parsed.value : {};
}
