import type { AccountsContext, NotFound } from "../context.ts";
import { tokenPrefix } from "./credentials.ts";
import { type Replacement, replaceCredential } from "./replace-credential.ts";

/** A replaced token is invalid at once (contract, section 2). */
export async function replaceToken(
  ctx: AccountsContext,
  actor: string,
  input: Replacement,
): Promise<NotFound | { readonly kind: "done"; readonly apiToken: string }> {
  const replaced = await replaceCredential(ctx, actor, input, {
    kind: "api_token",
    action: "account.token_replaced",
    prefix: (account) => tokenPrefix(account.sandbox),
    overlapMilliseconds: 0,
  });
  return replaced.kind === "done" ? { kind: "done", apiToken: replaced.text } : replaced;
}
