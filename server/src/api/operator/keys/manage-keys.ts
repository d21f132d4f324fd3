import { withReason } from "../../../domain/accounts/account-change.ts";
import type { AccountsContext, WithReason } from "../../../domain/accounts/context.ts";
import { type Agreed, approvedDetails } from "../../../domain/approvals/approval.ts";
import { type AskResult, askIfNeeded } from "../../../domain/approvals/ask-approval.ts";
import type { ApprovalsContext, Executor } from "../../../domain/approvals/context.ts";
import { text } from "../../../domain/approvals/executors/input.ts";
import { appendAudit } from "../../../domain/audit/append.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import { keyDigest } from "../authenticate.ts";
import type { Caller } from "../caller.ts";
import { type KeyLimits, limitDetails, NO_LIMITS, readLimits } from "./key-limits.ts";
import { insertOperatorKey, type OperatorKeyRow, removeOperatorKey } from "./key-store.ts";

export type CreatedKey = { readonly keyId: string; readonly apiKey: string };
type KeyInput = WithReason & { readonly name: string; readonly limits?: KeyLimits };

/** Creates an operator key. It is shown once; only its digest is stored. */
export async function createKey(
  ctx: AccountsContext,
  by: Pick<Caller, "actor" | "person">,
  { name, reason, limits = NO_LIMITS }: KeyInput,
  created: CreatedKey = newKey(ctx),
): Promise<CreatedKey> {
  const key = { keyId: created.keyId, name, digest: keyDigest(created.apiKey), madeBy: by.person, limits };
  await ctx.sql.begin((tx) => writeKey(tx, ctx.clock.now(), by.actor, key, withReason({ name }, reason)));
  await ctx.refresh();
  return created;
}

function newKey({ ids }: Pick<AccountsContext, "ids">): CreatedKey {
  return { keyId: ids.operatorKey(), apiKey: ids.secret("opk_") };
}

/**
 * Creates a key that may need approval. The requester sees the key at once, and it works after the approval. `asked` is
 * null if no approval is needed.
 */
export async function requestKey(
  ctx: AccountsContext & { readonly approvals: ApprovalsContext },
  caller: Caller,
  key: KeyInput,
): Promise<CreatedKey & { readonly asked: AskResult | null }> {
  const created = newKey(ctx);
  const { keyId, apiKey } = created;
  const digest = keyDigest(apiKey).toString("hex");
  const input = withReason({ key_id: keyId, name: key.name, digest, ...limitDetails(key.limits ?? NO_LIMITS) }, key.reason);
  const none = { amount: null, accountId: null, orderId: null } as const;
  const asked = await askIfNeeded(ctx.approvals, caller, { kind: "operator_key", about: `operator key ${keyId}`, input, ...none });
  if (asked === null) await createKey(ctx, caller, key, created);
  return { ...created, asked };
}

/** Creates an approved key. It belongs to the person who requested it. */
export function keyExecutor(ctx: Pick<AccountsContext, "refresh">): Executor {
  return {
    run: async (tx, one, at) => {
      const [keyId, name] = [text(one.input, "key_id"), text(one.input, "name")];
      const digest = Buffer.from(text(one.input, "digest"), "hex");
      const key = { keyId, name, digest, madeBy: one.makerPerson, limits: readLimits(one.input) };
      await writeKey(tx, at, one.decidedBy, key, detailsOf(one, name));
      return { kind: "done", result: { key_id: keyId } };
    },
    after: () => ctx.refresh(),
  };
}

function detailsOf(one: Agreed, name: string): JsonObject {
  return withReason({ name, ...approvedDetails(one) }, text(one.input, "reason") || undefined);
}

type NewKey = {
  readonly keyId: string;
  readonly name: string;
  readonly digest: Buffer;
  readonly madeBy: string;
  readonly limits: KeyLimits;
};

async function writeKey(tx: Transaction, now: number, actor: string, key: NewKey, details: JsonObject): Promise<void> {
  const at = new Date(now);
  const { keyId, name, digest, madeBy, limits } = key;
  await insertOperatorKey(tx, { key_id: keyId, name, digest, created_by: madeBy, created_at: at, ...limits });
  const subject = { kind: "operator_key", id: keyId } as const;
  await appendAudit(tx, at, { actor, action: "operator_key.created", subject, details: { ...details, ...limitDetails(limits) } });
}

/** Deletes an operator key, which takes effect at once in every process. Returns the key, or null if there is none. */
export async function deleteKey(
  ctx: AccountsContext,
  actor: string,
  input: WithReason & { readonly keyId: string },
): Promise<OperatorKeyRow | null> {
  const removed = await ctx.sql.begin(async (tx) => {
    const row = await removeOperatorKey(tx, input.keyId);
    if (!row) return null;
    const details = withReason({ name: row.name }, input.reason);
    const subject = { kind: "operator_key", id: input.keyId } as const;
    await appendAudit(tx, new Date(ctx.clock.now()), { actor, action: "operator_key.deleted", subject, details });
    return row;
  });
  if (removed) await ctx.refresh();
  return removed;
}
