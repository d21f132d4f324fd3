import type { Account } from "../../domain/accounts/account.ts";
import { type Call, type SignedLines, wasAdmitted } from "../../domain/api-log/call.ts";
import { type KeptBodies, keepsBodies, MAX_READ_BYTES } from "../../domain/api-log/kept-bodies.ts";
import type { Route } from "../../domain/client-api/route.ts";
import { isReference } from "../../platform/core/reference.ts";
import type { JsonObject, JsonValue } from "../../platform/core/strict-json.ts";
import type { Address } from "../../platform/network/address.ts";
import { shownPath } from "../../platform/observability/redact.ts";
import type { Dispatched } from "../client/dispatch.ts";
import type { GateContext } from "../client/gate/gate.ts";
import { sourceAddress } from "../client/gate/source-address.ts";
import { bodyHash, canonicalQuery } from "../client/gate/string-to-sign.ts";
import { findValidToken, readToken } from "../client/gate/token.ts";
import type { Incoming } from "../client/incoming.ts";
import { peerAddress } from "../client/peer.ts";
import { NO_BODY } from "../client/read-body.ts";
import type { ReceivedRequest } from "../client/read-request.ts";
import { PREFIX } from "../client/route-table.ts";

type Gate = Pick<GateContext, "clock" | "findToken" | "trustedProxies">;
type Known = { readonly account: Account; readonly address: Address; readonly tokenId: string | null };

/** Builds the API log entry of an answered request; null if no account is known. It copies nothing, to stay cheap. */
export function apiLogEntry(gate: Gate, request: Incoming, dispatched: Dispatched, requestId: string, milliseconds: number): Call | null {
  const { reply, route, passed, received } = dispatched;
  const { body } = reply;
  const known = knownCaller(gate, request, dispatched);
  if (known === null) return null;
  const error = textIn(body, "error");
  const code = typeof body["code"] === "number" ? body["code"] : null;
  const isFault = passed === null;
  return {
    account: known.account,
    at: Math.round(gate.clock.now() - milliseconds),
    requestId,
    method: request.method,
    path: route === null ? shownPath(request.target) : pathOf(route),
    status: reply.status,
    error,
    code,
    milliseconds,
    address: known.address,
    reference: referenceIn(body["urid"]) ?? referenceIn(body["request_id"]),
    orderId: textIn(body, "order_id"),
    signedBy: passed?.signedBy ?? null,
    tokenId: known.tokenId,
    isFault,
    // Not of requests that no budget limits: whoever has a token could make the log as long as they like.
    bodies: wasAdmitted({ isFault, error }) && keepsBodies(known.account, reply.status, code) ? bodiesOf(request, dispatched) : null,
    lines: error === "invalid_signature" && received !== null ? signedLines(received, body) : null,
  };
}

/**
 * Text of a limited length, so that waiting entries do not keep whole bodies in memory. Requests of AEPS hold Aadhaar numbers
 * and biometrics, which a faulty client may put into any field, so they are not kept; nor are those of unknown paths.
 */
function bodiesOf({ method, target }: Incoming, { received, route, reply }: Dispatched): KeptBodies {
  const isQuery = method === "GET";
  const bytes = isQuery ? Buffer.from(target.slice(target.indexOf("?") + 1 || target.length)) : (received?.body ?? NO_BODY);
  return {
    request: route === null || route.path.startsWith("/aeps/") ? null : Buffer.from(bytes.subarray(0, MAX_READ_BYTES)).toString(),
    isQuery,
    isRequestCut: bytes.length > MAX_READ_BYTES,
    hasBankAccounts: route?.path.startsWith("/transfers") ?? false,
    reply: reply.body,
  };
}

function knownCaller(gate: Gate, request: Incoming, { passed, received }: Dispatched): Known | null {
  if (passed !== null) {
    const { account, address, tokenId } = passed;
    return account !== null && address !== null ? { account, address, tokenId } : null;
  }
  return received === null ? null : faultyCaller(gate, request, received);
}

/** A request for an unknown path never reaches the gate, but a sender with a valid token expects it in the API log. */
function faultyCaller(gate: Gate, request: Incoming, received: ReceivedRequest): Known | null {
  const token = readToken(received.head, received.query);
  const known = typeof token === "string" ? findValidToken(gate, token) : null;
  const peer = peerAddress(request.socket);
  if (known === null || !peer) return null;
  const { account, tokenId } = known;
  return { account, tokenId, address: sourceAddress(peer, received.head, gate.trustedProxies) ?? peer };
}

const paths = new WeakMap<Route, string>();

function pathOf(route: Route): string {
  const known = paths.get(route);
  if (known !== undefined) return known;
  const path = PREFIX + route.path;
  paths.set(route, path);
  return path;
}

function textIn(body: JsonObject, name: string): string | null {
  const value = body[name];
  return typeof value === "string" && value !== "" ? value : null;
}

function referenceIn(value: JsonValue | undefined): string | null {
  return isReference(value) ? value : null;
}

function signedLines(received: ReceivedRequest, body: JsonObject): SignedLines {
  return {
    method: received.route?.method ?? "",
    path: received.path,
    canonicalQuery: canonicalQuery(received.query),
    bodySha256: bodyHash(received.body ?? NO_BODY),
    timestamp: received.head.timestamp.join(", "),
    nonce: received.head.nonce.join(", "),
    reason: textIn(body, "message") ?? "",
  };
}
