import { z } from "zod";
import { readTokens, type TokenView } from "../../../domain/accounts/credentials/read-tokens.ts";
import { readUsage, type UsageRow } from "../../../domain/api-log/read-usage.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import type { Vault } from "../../../platform/crypto/vault.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { timeText } from "./output-fields.ts";

/** An API token without its value. */
export const tokenOutput = z
  .strictObject({
    token_id: z.string(),
    name: z.string(),
    masked: z.string(),
    primary: z.boolean().describe("Whether it is the key of version 2 callbacks."),
    scopes: z.array(z.string()).readonly().nullable().describe("What it may use. Null: everything."),
    read_only: z.boolean().describe("Whether it may make GET requests only."),
    created_at: timeText,
    expires_at: timeText.nullable(),
    expired: z.boolean(),
    last_used_at: timeText.nullable(),
    last_address: z.string().nullable(),
  })
  .meta({ id: "ApiToken" });

type TokensContext = { readonly sql: Sql; readonly vault: Vault; readonly clock: { readonly now: () => number } };

/** The tokens of an account with their last use, the primary one first. */
export async function tokenViews(ctx: TokensContext, accountId: string): Promise<readonly z.output<typeof tokenOutput>[]> {
  const [tokens, usages] = await Promise.all([readTokens(ctx, accountId), readUsage(ctx.sql, accountId, ["token"])]);
  const now = ctx.clock.now();
  return tokens.map((token) =>
    view(
      token,
      usages.find(({ subject }) => subject === token.tokenId),
      now,
    ),
  );
}

function view(token: TokenView, usage: UsageRow | undefined, now: number): z.output<typeof tokenOutput> {
  return {
    token_id: token.tokenId,
    name: token.name,
    masked: token.masked,
    primary: token.isPrimary,
    scopes: token.scopes,
    read_only: token.readOnly,
    created_at: indiaDateTime(token.createdAt.getTime()),
    expires_at: token.expiresAt && indiaDateTime(token.expiresAt.getTime()),
    expired: token.expiresAt !== null && token.expiresAt.getTime() <= now,
    last_used_at: usage ? indiaDateTime(usage.last_at.getTime()) : null,
    last_address: usage?.last_address ?? null,
  };
}
