import type { Account } from "../../domain/accounts/account.ts";
import type { Call, SignedLines } from "../../domain/api-log/call.ts";
import type { Route } from "../../domain/client-api/route.ts";
import { isReference } from "../../platform/core/reference.ts";
import type { JsonObject, JsonValue } from "../../platform/core/strict-json.ts";
import type { Address } from "../../platform/network/address.ts";
import { shownPath } from "../../platform/observability/redact.ts";
import type { Dispatched } from "../client/dispatch.ts";
import type { GateContext } from "../client/gate/gate.ts";
import { sourceAddress } from "../client/gate/source-address.ts";
import { bodyHash, canonicalQuery } from "../client/gate/string-to-sign.ts";
import { readToken } from "../client/gate/token.ts";
import type { Incoming } from "../client/incoming.ts";
import { peerAddress } from "../client/peer.ts";
import { NO_BODY } from "../client/read-body.ts";
import type { ReceivedRequest } from "../client/read-request.ts";
import { PREFIX } from "../client/route-table.ts";

type Gate = Pick<GateContext, "clock" | "accountByToken" | "trustedProxies">;
type Known = { readonly account: Account; readonly address: Address };

/** Builds the API log entry of an answered request; null if no account is known. It copies nothing, to stay cheap. */
export function apiLogEntry(gate: Gate, request: Incoming, dispatched: Dispatched, requestId: string, milliseconds: number): Call | null {
  const { reply, route, passed, received } = dispatched;
  const { body } = reply;
  const known = knownCaller(gate, request, dispatched);
  if (known === null) return null;
  const error = textIn(body, "error");
  return {
    account: known.account,
    at: Math.round(gate.clock.now() - milliseconds),
    requestId,
    method: request.method,
    path: route === null ? shownPath(request.target) : pathOf(route),
    status: reply.status,
    error,
    code: typeof body["code"] === "number" ? body["code"] : null,
    milliseconds,
    address: known.address,
    reference: referenceIn(body["urid"]) ?? referenceIn(body["request_id"]),
    orderId: textIn(body, "order_id"),
    signedBy: passed?.signedBy ?? null,
    isFault: passed === null,
    lines: error === "invalid_signature" && received !== null ? signedLines(received, body) : null,
  };
}

function knownCaller(gate: Gate, request: Incoming, { passed, received }: Dispatched): Known | null {
  if (passed !== null)
    return passed.account !== null && passed.address !== null ? { account: passed.account, address: passed.address } : null;
  return received === null ? null : faultyCaller(gate, request, received);
}

/** A request for an unknown path never reaches the gate, but a sender with a valid token expects it in the API log. */
function faultyCaller(gate: Gate, request: Incoming, received: ReceivedRequest): Known | null {
  const token = readToken(received.head, received.query);
  const account = typeof token === "string" ? gate.accountByToken(token) : null;
  const peer = peerAddress(request.socket);
  return account && peer ? { account, address: sourceAddress(peer, received.head, gate.trustedProxies) ?? peer } : null;
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
