import type { KnownToken } from "../../../domain/accounts/account.ts";
import type { Route } from "../../../domain/client-api/route.ts";
import { type Refusal, refused } from "../../../domain/shared/refusals.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { RequestHead } from "./request-head.ts";
import { parameter, type Query } from "./request-target.ts";

const BEARER = /^bearer (\S+)$/i;

/** Reads the token from its three possible places. If several are used, all must be equal (contract, section 2). */
export function readToken(head: RequestHead, query: Query): string | Refusal {
  if (head.token.length > 1 || head.authorization.length > 1) return invalid("The token was sent in a header that appears more than once.");
  const sources: string[] = [...head.token];
  const [authorization] = head.authorization;
  if (authorization !== undefined) {
    const match = BEARER.exec(authorization);
    if (!match) return invalid("The Authorization header must read: Bearer, one space, the API token.");
    sources.push(match[1] ?? "");
  }
  const inQuery = parameter(query, "token");
  if (inQuery !== undefined) sources.push(inQuery);
  const [token, ...others] = sources;
  if (token === undefined) return refused("token_missing", "Send the API token in the X-Api-Token header.");
  if (others.some((other) => other !== token)) return invalid("The request carries two different tokens.");
  return token;
}

const SENT_TOKEN = /(?:\r\nx-api-token:[\t ]*|\r\nauthorization:[\t ]*bearer |[?&]token=)([\x21-\x25\x27-\x7e]+)/i;

/** Finds a token in an unparsed request; null if there is none. Only for fair scheduling, not for authentication. */
export function tokenIn(bytes: Buffer): string | null {
  return SENT_TOKEN.exec(bytes.toString("latin1"))?.[1] ?? null;
}

/** An expired token is answered like an unknown one. */
export function findValidToken(
  gate: { readonly findToken: (text: string) => KnownToken | null; readonly clock: Clock },
  text: string,
): KnownToken | null {
  const token = gate.findToken(text);
  return token !== null && (token.expiresAt === null || token.expiresAt > gate.clock.now()) ? token : null;
}

/** Whether the limits of the token exclude this route. */
export function isOutsideScopes({ scopes, readOnly }: KnownToken, route: Route): boolean {
  if (readOnly && route.method !== "GET") return true;
  if (scopes === null) return false;
  const scope = route.scope === undefined ? route.service : route.scope;
  return scope !== null && !scopes.has(scope);
}

export function outsideScopes({ readOnly }: KnownToken, { method }: Route): Refusal {
  const reason = readOnly && method !== "GET" ? "is read-only" : "is not allowed to use this service";
  return refused("service_not_enabled", `This API token ${reason}. Use another token of the account.`);
}

export function unknownToken(): Refusal {
  return invalid("The API token is not valid.");
}

function invalid(message: string): Refusal {
  return refused("token_invalid", message);
}
