import { ACCOUNT_REASON_WORDS, type Account, accountReason } from "../../domain/accounts/account.ts";
import type { Route } from "../../domain/client-api/route.ts";
import { type BusyOutcome, busy, refused } from "../../domain/shared/refusals.ts";
import { isSignedService } from "../../domain/shared/service-definition.ts";
import { isReference } from "../../platform/core/reference.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import { databaseTrouble } from "../../platform/db/database-errors.ts";
import { type GateContext, type GatePass, type GateRefusal, passGate, serviceNotEnabled } from "./gate/gate.ts";
import type { Incoming } from "./incoming.ts";
import { peerAddress } from "./peer.ts";
import { NO_BODY } from "./read-body.ts";
import { bodyObject, echoOf, type ReceivedRequest, readRequest } from "./read-request.ts";
import { answerReply, type Echo, failedReply, type Reply, refusalReply } from "./replies.ts";
import { replyInTime } from "./reply-in-time.ts";
import type { RouteTable } from "./route-table.ts";
import { readJsonBody, readQuery, validate } from "./validate.ts";

/** How long each stage of a request took, in milliseconds. */
export type Stages = { read: number; gate: number; work: number };

export type Dispatched = {
  readonly reply: Reply;
  readonly route: Route | null;
  readonly account: Account | null;
  /** The received request; null if it could not be read. */
  readonly received: ReceivedRequest | null;
  /** The gate's decision; null if the request did not reach the gate. */
  readonly passed: GatePass | GateRefusal | null;
  /** An unexpected error. */
  readonly thrown?: unknown;
};

export type DispatchContext = {
  readonly table: RouteTable;
  readonly gate: GateContext;
  /** With several cells: the same route of the cell that holds the account. */
  readonly routeInCell?: (route: Route, accountId: string) => Route;
};

/** Processes one request of the client API and returns its reply; null if the sender has disconnected. */
export async function dispatch(ctx: DispatchContext, request: Incoming, requestId: string, stages: Stages): Promise<Dispatched | null> {
  const startedAt = request.arrivedAt;
  const pending = readRequest(ctx.table, request);
  // Most requests have already been received completely and need no await.
  const received = pending instanceof Promise ? await pending : pending;
  const peer = peerAddress(request.socket);
  stages.read = performance.now() - startedAt;
  if (!received || !peer) return null;
  const { match, route, path, query, head, body } = received;
  if (received.fault || match.kind !== "route" || !route)
    return { reply: faultReply(received), route, account: null, received, passed: null };

  let passed: GatePass | GateRefusal | null = null;
  let ahead: Ahead | null = null;
  const readAhead = (account: Account): void => {
    const inCell = ctx.routeInCell ? ctx.routeInCell(route, account.accountId) : route;
    const reply = answer(inCell, received, match.parameters, { account, serviceOff: false }, requestId);
    // If the gate refuses, nobody waits for this reply.
    reply.catch(ignore);
    ahead = { account, reply };
  };
  try {
    const whileCounted = route.readsAhead ? readAhead : undefined;
    passed = await passGate(ctx.gate, { route, path, query, head, peer, body, waitedSeconds: stages.read / 1000, whileCounted });
    stages.gate = performance.now() - startedAt - stages.read;
    const { account } = passed;
    const inCell = account && ctx.routeInCell ? ctx.routeInCell(route, account.accountId) : route;
    if (passed.kind === "stopped") return { reply: await stoppedReply(inCell, received, passed), route, account, received, passed };

    const { accountId } = passed.account;
    const reply = await replyInTime(replyAhead(ahead, passed) ?? answer(inCell, received, match.parameters, passed, requestId), {
      arrivedAt: startedAt,
      isDatabaseAway: () => ctx.gate.isAccountAway?.(accountId) ?? false,
      createBusy: () => refusalReply(busy(outcomeOf(route, passed)), echoOf(received)),
    });
    stages.work = performance.now() - startedAt - stages.read - stages.gate;
    return { reply, route, account, received, passed };
  } catch (thrown) {
    const reply = faultedReply(thrown, outcomeOf(route, passed), echoOf(received));
    return { reply, route, account: passed?.account ?? null, received, passed, thrown };
  } finally {
    if (passed?.kind === "passed") ctx.gate.congestion.leave(passed.account.accountId);
  }
}

/** A reply that is made while the gate counts the request, and the account's settings that it is made with. */
type Ahead = { readonly account: Account; readonly reply: Promise<Reply> };

/** Null if there is none, or if the account was changed meanwhile. */
function replyAhead(ahead: Ahead | null, { account, serviceOff }: GatePass): Promise<Reply> | null {
  return ahead !== null && ahead.account === account && !serviceOff ? ahead.reply : null;
}

function ignore(): void {}

// Contract, section 9b: an unavailable database is answered as busy, not as an internal error.
function faultedReply(thrown: unknown, outcome: BusyOutcome, echo: Echo): Reply {
  return databaseTrouble(thrown) === null ? unexpectedReply(echo) : refusalReply(busy(outcome), echo);
}

function outcomeOf(route: Route, passed: GatePass | GateRefusal | null): BusyOutcome {
  if (route.method === "GET") return "nothing changed";
  return passed?.kind === "passed" ? "unknown" : "nothing created";
}

/** The reply to an unexpected error. It reveals no internals. */
export function unexpectedReply(echo: Echo): Reply {
  const message = "An unexpected error occurred. Look the transaction up by its reference before you try again.";
  return refusalReply(refused("internal_error", message), echo);
}

async function answer(
  route: Route,
  received: ReceivedRequest,
  parameters: JsonObject,
  passed: Pick<GatePass, "account" | "serviceOff">,
  requestId: string,
): Promise<Reply> {
  const sent = route.method === "POST" ? readJsonBody(received.head, received.body ?? NO_BODY) : readQuery(received.query);
  if (sent.kind === "refused") return refusalReply(sent, echoOf(received));
  const valid = validate(route.input, { ...sent.value, ...parameters });
  // While the service is off, a malformed lookup is answered like one that finds no record.
  if (valid.kind === "refused") return refusalReply(passed.serviceOff ? serviceNotEnabled() : valid, echoOf(received));
  // Transactions check the account themselves, because a known reference is answered before the account is refused.
  const reason = route.kind === "transaction" ? null : accountReason(passed.account);
  if (reason) return refusalReply(refused(reason, ACCOUNT_REASON_WORDS[reason]), echoOf(received));
  const answered = await route.handle({ account: passed.account, input: valid.input, requestId });
  const missing = passed.serviceOff && answered.kind === "refused" && answered.error.endsWith("not_found");
  return answerReply(missing ? serviceNotEnabled() : answered, () => echoOf(received), route.service);
}

// Contract, section 2, check 5: if the service is off or the token may not use it, a new transaction is answered as failed, not as rejected.
async function stoppedReply(route: Route, received: ReceivedRequest, { refusal, account }: GateRefusal): Promise<Reply> {
  if (refusal.error === "service_not_enabled" && route.kind === "transaction") {
    const sent = bodyObject(received);
    const signedService = isSignedService(route.service);
    const reference = sent[signedService ? "request_id" : "urid"];
    if (account && isReference(reference) && (await route.knows?.(account.accountId, reference, sent)))
      return refusalReply(refusal, echoOf(received));
    // Recharge answers this reason as an ordinary failure, also when the token is not allowed to use it.
    return failedReply(refusal, { reference: typeof reference === "string" ? reference : "", signedService }, sent, !signedService);
  }
  return refusalReply(refusal, echoOf(received));
}

function faultReply(received: ReceivedRequest): Reply {
  const reply = refusalReply(received.fault ?? refused("not_found", "There is no such path."), echoOf(received));
  return received.match.kind === "wrong method" ? { ...reply, headers: { Allow: received.match.allowed.join(", ") } } : reply;
}
