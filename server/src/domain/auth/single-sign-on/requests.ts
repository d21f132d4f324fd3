import { createHash, timingSafeEqual } from "node:crypto";
import type { Queryable } from "../../../platform/db/connection.ts";
import type { Realm } from "../context.ts";
import { digestOf } from "../tokens.ts";
import type { OidcSecrets } from "./oidc.ts";

/** A browser that was sent to an identity provider. */
export type SignOnRequest = {
  readonly realm: Realm;
  readonly provider_id: string;
  /** The session whose user confirms their identity; null for a sign-in. */
  readonly session_id: string | null;
  readonly redirect_uri: string;
  /** The page to open afterwards. */
  readonly next_path: string;
  readonly created_at: Date;
};

export const REQUEST_MILLISECONDS = 10 * 60_000;

/** The token is only in the browser's cookie, so that a stolen code or state is of no use elsewhere. */
export function secretsOf(token: string): OidcSecrets {
  const derived = (purpose: string) => createHash("sha256").update(`${purpose} ${token}`).digest("base64url");
  return { state: derived("state"), nonce: derived("nonce"), codeVerifier: derived("code verifier") };
}

export function isStateOf(token: string, state: string): boolean {
  return timingSafeEqual(digestOf(secretsOf(token).state), digestOf(state));
}

export async function insertRequest(sql: Queryable, digest: Buffer, row: SignOnRequest): Promise<void> {
  await sql`
    insert into sign_on_requests (digest, realm, provider_id, session_id, redirect_uri, next_path, created_at, expires_at)
    values (${digest}, ${row.realm}, ${row.provider_id}, ${row.session_id}, ${row.redirect_uri}, ${row.next_path}, ${row.created_at},
      ${new Date(row.created_at.getTime() + REQUEST_MILLISECONDS)})`;
}

/** Of several that use one request, one gets it. */
export async function takeRequest(sql: Queryable, realm: Realm, token: string, now: Date): Promise<SignOnRequest | undefined> {
  const [row] = await sql<(SignOnRequest & { readonly expires_at: Date })[]>`
    delete from sign_on_requests where digest = ${digestOf(token)} and realm = ${realm}
    returning realm, provider_id, session_id, redirect_uri, next_path, created_at, expires_at`;
  return row && row.expires_at > now ? row : undefined;
}

export async function sweepRequests(sql: Queryable, now: Date): Promise<void> {
  await sql`delete from sign_on_requests where expires_at <= ${now}`;
  await sql`delete from used_logout_tokens where expires_at <= ${now}`;
}
