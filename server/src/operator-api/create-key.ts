import { withReason } from "../accounts/account-change.ts";
import type { AccountsContext, WithReason } from "../accounts/context.ts";
import { appendAudit } from "../audit/append.ts";
import { keyDigest } from "./authenticate.ts";
import type { Caller } from "./caller.ts";
import { insertOperatorKey } from "./key-store.ts";

export type CreatedKey = { readonly keyId: string; readonly apiKey: string };

/** Makes an operator key. It is shown once; only its digest is kept. */
export async function createKey(
  ctx: AccountsContext,
  { actor, person }: Pick<Caller, "actor" | "person">,
  input: WithReason & { readonly name: string },
): Promise<CreatedKey> {
  const keyId = ctx.ids.operatorKey();
  const apiKey = ctx.ids.secret("opk_");
  const at = new Date(ctx.clock.now());
  await ctx.sql.begin(async (tx) => {
    await insertOperatorKey(tx, { key_id: keyId, name: input.name, digest: keyDigest(apiKey), created_by: person, created_at: at });
    const details = withReason({ name: input.name }, input.reason);
    await appendAudit(tx, at, { actor, action: "operator_key.created", subject: { kind: "operator_key", id: keyId }, details });
  });
  await ctx.refresh();
  return { keyId, apiKey };
}
