import type { Route } from "../../domain/client-api/route.ts";
import { type Refusal, refused } from "../../domain/shared/refusals.ts";
import { isSignedService } from "../../domain/shared/service-definition.ts";
import { isReference } from "../../platform/core/reference.ts";
import { type JsonObject, parseStrictJson } from "../../platform/core/strict-json.ts";
import { DEFAULT_BODY_LIMIT_BYTES } from "./gate/gate.ts";
import { type RequestHead, readHead } from "./gate/request-head.ts";
import { parameter, parseQuery, pathFault, pathOf, type Query, withoutTrailingSlash } from "./gate/request-target.ts";
import type { Incoming } from "./incoming.ts";
import { NO_BODY, type ReadBody } from "./read-body.ts";
import type { Echo } from "./replies.ts";
import type { Match, RouteTable } from "./route-table.ts";

/** A request as it was received, before any check. */
export type ReceivedRequest = {
  readonly match: Match;
  /** Null if no route matches. */
  readonly route: Route | null;
  /** The path as it is signed: with the prefix, without a trailing slash. */
  readonly path: string;
  readonly head: RequestHead;
  readonly query: Query;
  /** Null if the body is larger than the route allows. */
  readonly body: Uint8Array | null;
  /** Why the request is malformed (contract, section 2, check 1); null if it is well formed. */
  readonly fault: Refusal | null;
};

/**
 * Reads a request completely; null if the sender disconnected before. The body is read before any check, because even the
 * refusal of a token echoes the request's reference.
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
  const bodyFault = read !== null && method === "GET" ? refused("invalid_request", "A GET request must not have a body.") : null;
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
  return match.kind === "wrong method" ? refused("method_not_allowed", `This path only supports ${match.allowed.join(" and ")}.`) : null;
}

/** The parts of a request that a refusal echoes. */
export function echoOf(received: ReceivedRequest): Echo {
  const service = received.match.kind === "wrong method" ? received.match.service : received.route?.service;
  const signedService = service !== undefined && isSignedService(service);
  const name = signedService ? "request_id" : "urid";
  const inBody = bodyObject(received)[name];
  const reference = isReference(inBody) ? inBody : parameter(received.query, name);
  return { reference: isReference(reference) ? reference : null, signedService };
}

/** The parsed body; empty if it cannot be parsed. */
export function bodyObject(received: ReceivedRequest): JsonObject {
  if (received.body === null || received.body.length === 0) return {};
  const parsed = parseStrictJson(received.body);
  return parsed.ok ? parsed.value : {};
}
