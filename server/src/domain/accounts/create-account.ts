import type { Transaction } from "../../platform/db/connection.ts";
import { appendAudit } from "../audit/append.ts";
import { refuseRetiredKey, withReason } from "./account-change.ts";
import { accountName } from "./account-name.ts";
import type { AccountsContext, WithReason } from "./context.ts";
import { issueCredential, tokenPrefix } from "./credentials/credentials.ts";
import { insertAccount } from "./store.ts";

export type NewAccount = WithReason & {
  readonly name: string;
  readonly sandbox: boolean;
  /** Further writes in the same transaction. */
  readonly also?: (tx: Transaction, accountId: string, at: Date) => Promise<void>;
};
export type CreateAccountResult =
  | { readonly kind: "done"; readonly accountId: string; readonly apiToken: string }
  | { readonly kind: "invalid_name" };

/** Creates an account as contract section 8 says: active, recharge enabled, an empty allowlist, a first token. */
export async function createAccount(ctx: AccountsContext, actor: string, input: NewAccount): Promise<CreateAccountResult> {
  const name = accountName(input.name);
  if (name === null) return { kind: "invalid_name" };
  const accountId = ctx.ids.account();
  // Before the account exists, so that no account is in a cell that home does not know of.
  await ctx.assign?.(accountId);
  const apiToken = await ctx.sql.begin((tx) => open(tx, ctx, actor, { ...input, name, accountId }));
  await ctx.refresh();
  return { kind: "done", accountId, apiToken };
}

async function open(
  tx: Transaction,
  ctx: AccountsContext,
  actor: string,
  input: NewAccount & { readonly accountId: string },
): Promise<string> {
  const { accountId, name, sandbox } = input;
  const at = new Date(ctx.clock.now());
  await insertAccount(tx, { accountId, name, sandbox, at });
  await input.also?.(tx, accountId, at);
  const token = await issueCredential(tx, ctx, { accountId, kind: "api_token", prefix: tokenPrefix(sandbox), at, replacedEndsAt: at });
  await appendAudit(tx, at, {
    actor,
    action: "account.created",
    subject: { kind: "account", id: accountId },
    details: withReason({ name, sandbox, token_credential_id: token.credentialId }, input.reason),
  });
  await refuseRetiredKey(tx, token.keyId);
  return token.text;
}
