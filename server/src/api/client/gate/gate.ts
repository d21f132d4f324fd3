import type { Account, KnownToken } from "../../../domain/accounts/account.ts";
import type { SignedBy } from "../../../domain/api-log/call.ts";
import type { Route } from "../../../domain/client-api/route.ts";
import { busy, type Refusal, refused } from "../../../domain/shared/refusals.ts";
import { isSignedService } from "../../../domain/shared/service-definition.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Address, Range } from "../../../platform/network/address.ts";
import type { Admission, AdmissionBatcher, Arrival } from "./admission.ts";
import type { Congestion } from "./congestion.ts";
import type { RequestHead } from "./request-head.ts";
import type { Query } from "./request-target.ts";
import { checkSignature, HOW_TO_SIGN, replayed, type Verdict } from "./signature.ts";
import { sourceAddress } from "./source-address.ts";
import { findValidToken, isOutsideScopes, outsideScopes, readToken, unknownToken } from "./token.ts";

export type GateContext = {
  readonly clock: Clock;
  readonly findToken: (token: string) => KnownToken | null;
  readonly accountById: (accountId: string) => Account | null;
  /** Undefined if the settings in memory are recent. */
  readonly ensureFresh: () => Promise<void> | undefined;
  /** The same with several cells: of what a request with this token needs. "away": the account's cell does not answer. */
  readonly ensureFreshFor?: (token: string) => Promise<"away" | undefined> | undefined;
  readonly admission: AdmissionBatcher;
  readonly congestion: Congestion;
  readonly trustedProxies: readonly Range[];
  /** Why no request can be decided now, such as a wrong clock; null in normal operation. */
  readonly clockFault?: () => string | null;
  /** True while the database is unavailable. */
  readonly isDatabaseAway?: () => boolean;
  /** True while the database that holds this account is unavailable. */
  readonly isAccountAway?: (accountId: string) => boolean;
};

export type GateRequest = {
  readonly route: Route;
  /** The path as it is signed: with the prefix, without a trailing slash. */
  readonly path: string;
  readonly query: Query;
  readonly head: RequestHead;
  readonly peer: Address;
  /** Null if the body is larger than the route allows. */
  readonly body: Uint8Array | null;
  /** How long ago the request was read from the network. */
  readonly waitedSeconds?: number;
  /** Called when only the database can still refuse the request, for its budget or its nonce. */
  readonly whileCounted?: ((account: Account) => void) | undefined;
};

/** Facts about the caller of a request, for the API log. */
type CallerFacts = {
  /** The source address; null while the account is unknown. */
  readonly address: Address | null;
  /** The key of a valid signature; null if there is none. */
  readonly signedBy: SignedBy | null;
  /** The token's id; null while it is unknown. */
  readonly tokenId: string | null;
};

export type GatePass = CallerFacts & {
  readonly kind: "passed";
  readonly account: Account;
  /** The service is off for the account. A lookup is then answered only if the record exists. */
  readonly serviceOff: boolean;
};

/** A refusal by the gate, with the account if it is known. */
export type GateRefusal = CallerFacts & { readonly kind: "stopped"; readonly refusal: Refusal; readonly account: Account | null };

type Decision = GatePass | GateRefusal;

const ADMITTED: Admission = { kind: "admitted" };
const EARLIER_SCHEME_PATH = "/recharge";
const CLOCK_RETRY_SECONDS = 30;

/**
 * Contract, section 2, checks 2 to 6, in that order, for every route. A request that would wait too long is refused before
 * its signature is checked, because refusals must be cheap. A request that passed leaves `congestion` when it is answered.
 */
export function passGate(ctx: GateContext, request: GateRequest): Decision | Promise<Decision> {
  // Contract, section 9b: without the database the caller cannot be identified either.
  if (ctx.isDatabaseAway?.()) return stopped(undecided(request.route), null, NO_FACTS);
  const token = readToken(request.head, request.query);
  const stale = ctx.ensureFreshFor && typeof token === "string" ? ctx.ensureFreshFor(token) : ctx.ensureFresh();
  if (!stale) return decide(ctx, request, token);
  return stale.then((found) => (found === "away" ? stopped(undecided(request.route), null, NO_FACTS) : decide(ctx, request, token)));
}

function decide(ctx: GateContext, request: GateRequest, token: string | Refusal): Decision | Promise<Decision> {
  const caller = identify(ctx, request, token);
  if (caller.kind === "stopped") return caller;
  const { account, address } = caller;
  const { method } = request.route;
  // With a wrong clock, timestamps, expiry times and budgets would be checked against a wrong time.
  const isClockWrong = ctx.clockFault !== undefined && ctx.clockFault() !== null;
  const retryAfterSeconds = isClockWrong ? CLOCK_RETRY_SECONDS : ctx.congestion.enter(account.accountId, method, request.waitedSeconds);
  if (retryAfterSeconds === null) return admit(ctx, request, caller);
  const refusal = busy(method === "GET" ? "nothing changed" : "nothing created", retryAfterSeconds);
  return stopped(refusal, account, { address, signedBy: null, tokenId: caller.known.tokenId });
}

/** Decides on a request that has entered `congestion`. It leaves again unless it passes. */
async function admit(ctx: GateContext, request: GateRequest, caller: Caller): Promise<Decision> {
  const { account } = caller;
  let decision: Decision | null = null;
  try {
    // Checked before the database call and judged after it, because budget and nonce are written together.
    const checked = check(ctx, request, caller);
    const arrival = arrivalOf(account, request.route, checked.verdict);
    if (request.whileCounted && isAllowedSoFar(request, account, checked) && !ctx.admission.isOver(arrival)) request.whileCounted(account);
    const admission = await ctx.admission.admit(arrival);
    decision = decisionOn(ctx, request, caller, checked, admission);
    return decision;
  } finally {
    if (decision?.kind !== "passed") ctx.congestion.leave(account.accountId);
  }
}

type Checked = { readonly serviceOff: boolean; readonly isOutside: boolean; readonly verdict: Verdict };

function check(ctx: GateContext, request: GateRequest, caller: Caller): Checked {
  const { route } = request;
  const serviceOff = isSignedService(route.service) && !caller.account.services.has(route.service);
  const isOutside = isOutsideScopes(caller.known, route);
  const verdict = isOutside || (serviceOff && route.kind !== "lookup") ? NOT_CHECKED : verdictOn(ctx, request, caller);
  return { serviceOff, isOutside, verdict };
}

/** Whether nothing but budget and nonce can refuse the request. */
function isAllowedSoFar(request: GateRequest, account: Account, { serviceOff, isOutside, verdict }: Checked): boolean {
  return !isOutside && !serviceOff && judge(request, account, serviceOff, verdict, ADMITTED) === null;
}

function arrivalOf(account: Account, { method }: Route, verdict: Verdict): Arrival {
  const isGet = method === "GET";
  return {
    accountId: account.accountId,
    budget: isGet ? "get" : "money",
    cap: isGet ? Math.min(account.getPerMinute, account.moneyPerMinute) : account.moneyPerMinute,
    nonce: verdict.kind === "valid" ? { text: verdict.nonce, expiresAt: verdict.nonceExpiresAt } : null,
  };
}

function decisionOn(ctx: GateContext, request: GateRequest, caller: Caller, checked: Checked, admission: Admission): Decision {
  const { account, address, known } = caller;
  const { serviceOff, isOutside, verdict } = checked;
  const refusal =
    isOutside && admission.kind !== "over" ? outsideScopes(known, request.route) : judge(request, account, serviceOff, verdict, admission);
  const signedBy = verdict.kind === "valid" ? verdict.signedBy : null;
  const { tokenId } = known;
  if (refusal) return stopped(refusal, account, { address, signedBy, tokenId });
  // The wait may have been long, so the account is read again.
  return { kind: "passed", account: ctx.accountById(account.accountId) ?? account, serviceOff, address, signedBy, tokenId };
}

function undecided({ method }: Route): Refusal {
  return busy(method === "GET" ? "nothing changed" : "nothing created");
}

type Caller = {
  readonly kind: "caller";
  readonly account: Account;
  readonly known: KnownToken;
  readonly token: string;
  readonly address: Address;
};

function identify(ctx: GateContext, { head, peer }: GateRequest, token: string | Refusal): Caller | GateRefusal {
  if (typeof token !== "string") return stopped(token, null, NO_FACTS);
  const known = findValidToken(ctx, token);
  if (!known) return stopped(unknownToken(), null, NO_FACTS);
  const { account, tokenId } = known;
  const address = sourceAddress(peer, head, ctx.trustedProxies);
  if (address === null) return stopped(unreadableAddress(), account, { address: peer, signedBy: null, tokenId });
  if (!account.allowlist.admits(address)) return stopped(addressRefused(address), account, { address, signedBy: null, tokenId });
  return { kind: "caller", account, known, token, address };
}

function judge(
  { route, body }: GateRequest,
  account: Account,
  serviceOff: boolean,
  verdict: Verdict,
  admission: Admission,
): Refusal | null {
  if (admission.kind === "over") return overBudget(account, route.method === "GET", admission.retryAfterSeconds);
  if (serviceOff && verdict.kind === "unsigned") return serviceNotEnabled();
  if (body === null) return tooLarge(route);
  if (verdict.kind === "refused") return verdict;
  if (admission.kind === "replayed") return replayed();
  return verdict.kind === "unsigned" && mustSign(route, account) ? refused("invalid_signature", HOW_TO_SIGN) : null;
}

const NO_FACTS: CallerFacts = { address: null, signedBy: null, tokenId: null };

const NOT_CHECKED: Verdict = { kind: "unsigned" };

function verdictOn(ctx: GateContext, request: GateRequest, { account, token }: Caller): Verdict {
  if (request.body === null) return NOT_CHECKED;
  return checkSignature({
    method: request.route.method,
    path: request.path,
    query: request.query,
    body: request.body,
    head: request.head,
    account,
    earlierSchemeKey: request.route.path === EARLIER_SCHEME_PATH ? token : null,
    nowMilliseconds: ctx.clock.now(),
  });
}

// Spec, Request signing: optional on the recharge group, required on every other service.
function mustSign(route: Route, account: Account): boolean {
  return isSignedService(route.service) || account.signingRequired;
}

function stopped(refusal: Refusal, account: Account | null, { address, signedBy, tokenId }: CallerFacts): GateRefusal {
  return { kind: "stopped", refusal, account, address, signedBy, tokenId };
}

function addressRefused(address: Address): Refusal {
  return refused("ip_not_allowed", `The source address ${address.toString()} is not on the account's allowlist.`);
}

function unreadableAddress(): Refusal {
  const message = "The forwarded address cannot be read: the entry of X-Forwarded-For that names the caller is not an IP address.";
  return refused("ip_not_allowed", message);
}

export function serviceNotEnabled(): Refusal {
  return refused("service_not_enabled", "This service is not switched on for the account.");
}

// Spec, Limits: Retry-After on GET calls of version 3 accounts only.
function overBudget(account: Account, isGet: boolean, retryAfterSeconds: number): Refusal {
  const options = isGet && account.callbackVersion === 3 ? { retryAfterSeconds } : {};
  return refused("rate_limited", `Over the account's ${isGet ? "GET" : "money"} calls a minute. Try again after a short pause.`, options);
}

export const DEFAULT_BODY_LIMIT_BYTES = 64 * 1024;

function tooLarge(route: Route): Refusal {
  return refused("body_too_large", `The body is larger than ${(route.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES) / 1024} KiB.`);
}
