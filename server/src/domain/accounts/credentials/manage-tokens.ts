import { indiaDateTime } from "../../../platform/core/india-time.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import { changeUnderLock, type Decided } from "../account-change.ts";
import type { AccountsContext, Conflict, Done, NotFound, WithReason } from "../context.ts";
import { advanceCallbackEpoch } from "../store.ts";
import { insertSealed, tokenPrefix } from "./credentials.ts";
import type { TokenScope } from "./token-scopes.ts";
import { readTokenRows, type TokenRow, updateToken } from "./token-store.ts";

/** Most tokens that an account can have at a time, including expired ones. */
export const MAX_TOKENS = 20;

export type NewToken = WithReason & {
  readonly accountId: string;
  readonly name: string;
  /** Null: everything. */
  readonly scopes: readonly TokenScope[] | null;
  readonly readOnly: boolean;
  readonly expiresAt: Date | null;
};
export type CreatedToken = { readonly kind: "done"; readonly tokenId: string; readonly apiToken: string };

/** Creates an additional token. The primary token stays as it is. */
export async function createToken(ctx: AccountsContext, actor: string, input: NewToken): Promise<CreatedToken | NotFound | Conflict> {
  return await changeUnderLock<CreatedToken | Conflict>(ctx, actor, input, async (tx, account, at) => {
    const { accountId, name, readOnly, expiresAt } = input;
    const tokens = await readTokenRows(tx, accountId);
    if (account.closed_at !== null) return unchanged("The account is closed.");
    if (tokens.length >= MAX_TOKENS) return unchanged(`An account has at most ${MAX_TOKENS} tokens. Revoke one that is not used.`);
    if (tokens.some((token) => token.name === name)) return unchanged(NAME_TAKEN);
    if (expiresAt !== null && expiresAt <= at) return unchanged(EXPIRY_PAST);
    const scopes = input.scopes && [...new Set(input.scopes)].sort();
    const limits = { expires_at: expiresAt, is_primary: false, name, scopes, read_only: readOnly };
    const issued = await insertSealed(tx, ctx, { accountId, kind: "api_token", prefix: tokenPrefix(account.sandbox), at }, limits);
    const details = { credential_id: issued.credentialId, name, scopes, read_only: readOnly, expires_at: shown(expiresAt) };
    return {
      result: { kind: "done", tokenId: issued.credentialId, apiToken: issued.text },
      audit: { action: "account.token_created", details },
      sealedWith: issued.keyId,
    };
  });
}

type TokenChange = WithReason & { readonly accountId: string; readonly tokenId: string };
type Changed = Done | NotFound | Conflict;

/** Renames a token or sets when it expires. */
export async function changeToken(
  ctx: AccountsContext,
  actor: string,
  input: TokenChange & { readonly name?: string | undefined; readonly expiresAt?: Date | null | undefined },
): Promise<Changed> {
  return await changeTokenUnderLock(ctx, actor, input, async (tx, token, { at, tokens }) => {
    const { name = token.name, expiresAt = token.expires_at } = input;
    const isSameExpiry = expiresAt?.getTime() === token.expires_at?.getTime();
    if (name === token.name && isSameExpiry) return { result: DONE, audit: null };
    if (tokens.some((other) => other !== token && other.name === name)) return unchanged(NAME_TAKEN);
    const fault = isSameExpiry ? null : expiryFault(token, expiresAt, at);
    if (fault !== null) return unchanged(fault);
    await updateToken(tx, input.accountId, input.tokenId, { name, expires_at: expiresAt });
    const changes = {
      ...(name === token.name ? {} : { name: { from: token.name, to: name } }),
      ...(isSameExpiry ? {} : { expires_at: { from: shown(token.expires_at), to: shown(expiresAt) } }),
    };
    return { result: DONE, audit: { action: "account.token_changed", details: { credential_id: input.tokenId, changes } } };
  });
}

/** Revokes an additional token. It stops working at once. */
export async function revokeToken(ctx: AccountsContext, actor: string, input: TokenChange): Promise<Changed> {
  return await changeTokenUnderLock(ctx, actor, input, async (tx, token, { at }) => {
    if (token.is_primary) return unchanged("The primary token cannot be revoked. Replace it, or make another token the primary one first.");
    await updateToken(tx, input.accountId, input.tokenId, { revoked_at: at });
    const details = { credential_id: input.tokenId, name: token.name };
    return { result: DONE, audit: { action: "account.token_revoked", details } };
  });
}

/** Makes a token the key of version 2 callbacks from their next attempt on. The previous primary token keeps working. */
export async function makePrimary(ctx: AccountsContext, actor: string, input: TokenChange): Promise<Changed> {
  return await changeTokenUnderLock(ctx, actor, input, async (tx, token, { tokens }) => {
    if (token.is_primary) return { result: DONE, audit: null };
    if (token.expires_at !== null) return unchanged("A token that expires cannot be the primary one. Remove its expiry first.");
    const previous = tokens.find((other) => other.is_primary);
    if (previous) await updateToken(tx, input.accountId, previous.credential_id, { is_primary: false });
    await updateToken(tx, input.accountId, input.tokenId, { is_primary: true });
    await advanceCallbackEpoch(tx, input.accountId);
    const details = { credential_id: input.tokenId, name: token.name, previous_credential_id: previous?.credential_id ?? null };
    return { result: DONE, audit: { action: "account.primary_token_changed", details } };
  });
}

type Found = { readonly at: Date; readonly tokens: readonly TokenRow[] };

async function changeTokenUnderLock(
  ctx: AccountsContext,
  actor: string,
  input: TokenChange,
  decide: (tx: Transaction, token: TokenRow, found: Found) => Promise<Decided<Changed>>,
): Promise<Changed> {
  return await changeUnderLock<Changed>(ctx, actor, input, async (tx, _account, at) => {
    const tokens = await readTokenRows(tx, input.accountId);
    const token = tokens.find((one) => one.credential_id === input.tokenId);
    return token ? await decide(tx, token, { at, tokens }) : { result: { kind: "not_found" }, audit: null };
  });
}

const DONE: Done = { kind: "done" };
const NAME_TAKEN = "Another token of the account has this name.";
const EXPIRY_PAST = "The expiry must be in the future.";

function unchanged(reason: string): Decided<Conflict> {
  return { result: { kind: "conflict", reason }, audit: null };
}

/** Why the token cannot get this expiry; null if it can. */
function expiryFault(token: TokenRow, expiresAt: Date | null, at: Date): string | null {
  if (token.is_primary) return "The primary token has no expiry, because it is the key of version 2 callbacks.";
  if (token.expires_at !== null && token.expires_at <= at) return "The token has expired. Create a new one.";
  return expiresAt !== null && expiresAt <= at ? EXPIRY_PAST : null;
}

function shown(at: Date | null): string | null {
  return at && indiaDateTime(at.getTime());
}
