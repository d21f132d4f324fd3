import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { appendAudit } from "../audit/append.ts";
import type { AccountsContext, NotFound, WithReason } from "./context.ts";
import { type AccountRow, lockAccount } from "./store.ts";

export type Decided<Result> = {
  readonly result: Result;
  /** Null when nothing changed, which is not audited. */
  readonly audit: { readonly action: string; readonly details: JsonObject } | null;
  /** The master key that new secrets were sealed with. */
  readonly sealedWith?: string;
};

export type Decide<Result> = (tx: Transaction, account: AccountRow, at: Date) => Promise<Decided<Result>>;

/** The frame of every change of an account: lock, decide and write, audit last, commit, refresh memory. */
export async function changeUnderLock<Result>(
  ctx: AccountsContext,
  actor: string,
  target: WithReason & { readonly accountId: string },
  decide: Decide<Result>,
): Promise<Result | NotFound> {
  const answer = await ctx.sql.begin(async (tx) => {
    const account = await lockAccount(tx, target.accountId);
    if (!account) return null;
    // Read under the lock, so that of two changes the later one has the later time.
    const at = new Date(ctx.clock.now());
    const decided = await decide(tx, account, at);
    if (decided.audit) await record(tx, at, actor, target, decided.audit);
    if (decided.sealedWith !== undefined) await refuseRetiredKey(tx, decided.sealedWith);
    return { result: decided.result };
  });
  if (!answer) return { kind: "not_found" };
  await ctx.refresh();
  return answer.result;
}

async function record(
  tx: Transaction,
  at: Date,
  actor: string,
  target: WithReason & { readonly accountId: string },
  audit: { readonly action: string; readonly details: JsonObject },
): Promise<void> {
  const details = withReason(audit.details, target.reason);
  await appendAudit(tx, at, { actor, action: audit.action, subject: { kind: "account", id: target.accountId }, details });
}

export function withReason(details: JsonObject, reason: string | undefined): JsonObject {
  return reason === undefined ? details : { ...details, reason };
}

/**
 * A process that was suspended during a rotation may have sealed with a retired key. Checked under the audit head's lock,
 * which the rotation holds while it retires a key, so that no such change is committed.
 */
export async function refuseRetiredKey(tx: Transaction, keyId: string): Promise<void> {
  const retired = await tx`
    select 1 from audit_log where subject_kind = 'master_key' and subject_id = ${keyId} and action = 'master_key.retired' limit 1`;
  if (retired.length > 0) throw new Error(`Master key ${keyId} was retired while a secret was being sealed with it; nothing was changed.`);
}
