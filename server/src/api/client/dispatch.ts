import { ACCOUNT_REASON_WORDS, type Account, accountReason } from "../../domain/accounts/account.ts";
import type { Route } from "../../domain/client-api/route.ts";
import { type BusyOutcome, busy, refused } from "../../domain/shared/refusals.ts";
import { isReference } from "../../platform/core/reference.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import { databaseTrouble } from "../../platform/db/database-errors.ts";
import { type GateContext, type GatePass, type GateRefusal, passGate, serviceNotEnabled } from "./gate/gate.ts";
import type { Incoming } from "./incoming.ts";
import { peerAddress } from "./peer.ts";
import { NO_BODY } from "./read-body.ts";
import { bodyObject, echoOf, type ReceivedRequest, readRequest } from "./read-request.ts";
import { answerReply, type Echo, failedReply, type Reply, refusalReply } from "./replies.ts";
import type { RouteTable } from "./route-table.ts";
import { readJsonBody, readQuery, validate } from "./validate.ts";

/** Where the time of a request went, in milliseconds. */
export type Stages = { read: number; gate: number; work: number };

export type Dispatched = {
  readonly reply: Reply;
  readonly route: Route | null;
  readonly account: Account | null;
  /** The request as it was sent; null when that could not be told. */
  readonly received: ReceivedRequest | null;
  /** What the gate made of it; null when it did not get there. */
  readonly passed: GatePass | GateRefusal | null;
  /** What was thrown, when nobody expected it. */
  readonly thrown?: unknown;
};

export type DispatchContext = { readonly table: RouteTable; readonly gate: GateContext };

/** One request of the client API from its target to its reply; null when the sender is gone. */
export async function dispatch(ctx: DispatchContext, request: Incoming, requestId: string, stages: Stages): Promise<Dispatched | null> {
  const startedAt = request.arrivedAt;
  const pending = readRequest(ctx.table, request);
  // Most have received as a whole, and need not wait for a turn.
  const received = pending instanceof Promise ? await pending : pending;
  const peer = peerAddress(request.socket);
  stages.read = performance.now() - startedAt;
  if (!received || !peer) return null;
  const { match, route, path, query, head, body } = received;
  if (received.fault || match.kind !== "route" || !route)
    return { reply: faultReply(received), route, account: null, received, passed: null };

  let passed: GatePass | GateRefusal | null = null;
  try {
    passed = await passGate(ctx.gate, { route, path, query, head, peer, body, waitedSeconds: stages.read / 1000 });
    stages.gate = performance.now() - startedAt - stages.read;
    const { account } = passed;
    if (passed.kind === "stopped") return { reply: await stoppedReply(route, received, passed), route, account, received, passed };

    const reply = await answer(route, received, match.parameters, passed, requestId);
    stages.work = performance.now() - startedAt - stages.read - stages.gate;
    return { reply, route, account, received, passed };
  } catch (thrown) {
    const reply = faultedReply(thrown, outcomeOf(route, passed), echoOf(received));
    return { reply, route, account: passed?.account ?? null, received, passed, thrown };
  } finally {
    if (passed?.kind === "passed") ctx.gate.congestion.leave(passed.account.accountId);
  }
}

// Contract, section 9b: what the database keeps from being decided is not an error of this program.
function faultedReply(thrown: unknown, outcome: BusyOutcome, echo: Echo): Reply {
  return databaseTrouble(thrown) === null ? unexpectedReply(echo) : refusalReply(busy(outcome), echo);
}

function outcomeOf(route: Route, passed: GatePass | GateRefusal | null): BusyOutcome {
  if (route.method === "GET") return "nothing changed";
  return passed?.kind === "passed" ? "unknown" : "nothing created";
}

/** Says nothing of what happened inside. */
export function unexpectedReply(echo: Echo): Reply {
  const message = "Something went wrong on our side. Look the transaction up by its reference before trying again.";
  return refusalReply(refused("internal_error", message), echo);
}

async function answer(
  route: Route,
  received: ReceivedRequest,
  parameters: JsonObject,
  passed: GatePass,
  requestId: string,
): Promise<Reply> {
  const sent = route.method === "POST" ? readJsonBody(received.head, received.body ?? NO_BODY) : readQuery(received.query);
  if (sent.kind === "refused") return refusalReply(sent, echoOf(received));
  const valid = validate(route.input, { ...sent.value, ...parameters });
  // A lookup that names no record finds none.
  if (valid.kind === "refused") return refusalReply(passed.serviceOff ? serviceNotEnabled() : valid, echoOf(received));
  // A transaction call decides by itself: a known reference comes before the account's standing.
  const reason = route.kind === "transaction" ? null : accountReason(passed.account);
  if (reason) return refusalReply(refused(reason, ACCOUNT_REASON_WORDS[reason]), echoOf(received));
  const answered = await route.handle({ account: passed.account, input: valid.input, requestId });
  const missing = passed.serviceOff && answered.kind === "refused" && answered.error.endsWith("not_found");
  return answerReply(missing ? serviceNotEnabled() : answered, () => echoOf(received), route.service);
}

// Contract, section 2, check 5: a new transaction of a service that is not switched on fails, it is not rejected.
async function stoppedReply(route: Route, received: ReceivedRequest, { refusal, account }: GateRefusal): Promise<Reply> {
  if (refusal.error === "service_not_enabled" && route.kind === "transaction") {
    const sent = bodyObject(received);
    const { request_id: reference } = sent;
    if (account && isReference(reference) && (await route.knows?.(account.accountId, reference, sent)))
      return refusalReply(refusal, echoOf(received));
    return failedReply(refusal, { reference: typeof reference === "string" ? reference : "", signedService: true }, sent);
  }
  return refusalReply(refusal, echoOf(received));
}

function faultReply(received: ReceivedRequest): Reply {
  const reply = refusalReply(received.fault ?? refused("not_found", "There is no such path."), echoOf(received));
  return received.match.kind === "wrong method" ? { ...reply, headers: { Allow: received.match.allowed.join(", ") } } : reply;
}
