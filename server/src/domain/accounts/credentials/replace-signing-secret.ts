import type { AccountsContext, NotFound } from "../context.ts";
import { type Replacement, replaceCredential } from "./replace-credential.ts";

// Spec, Authentication, request signing, rule 5. Secrets replaced earlier keep their expiry.
const OVERLAP_MILLISECONDS = 24 * 60 * 60 * 1000;

export async function replaceSigningSecret(
  ctx: AccountsContext,
  actor: string,
  input: Replacement,
): Promise<NotFound | { readonly kind: "done"; readonly signingSecret: string }> {
  const replaced = await replaceCredential(ctx, actor, input, {
    kind: "signing_secret",
    action: "account.signing_secret_replaced",
    prefix: () => "sig_",
    overlapMilliseconds: OVERLAP_MILLISECONDS,
  });
  return replaced.kind === "done" ? { kind: "done", signingSecret: replaced.text } : replaced;
}
