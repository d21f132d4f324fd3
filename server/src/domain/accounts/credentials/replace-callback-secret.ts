import type { AccountsContext, NotFound } from "../context.ts";
import { type Replacement, replaceCredential } from "./replace-credential.ts";

/** Callbacks are signed with the new secret from their next attempt on. */
export async function replaceCallbackSecret(
  ctx: AccountsContext,
  actor: string,
  input: Replacement,
): Promise<NotFound | { readonly kind: "done"; readonly callbackSecret: string }> {
  const replaced = await replaceCredential(ctx, actor, input, {
    kind: "callback_secret",
    action: "account.callback_secret_replaced",
    prefix: () => "cbk_",
    overlapMilliseconds: 0,
  });
  return replaced.kind === "done" ? { kind: "done", callbackSecret: replaced.text } : replaced;
}
