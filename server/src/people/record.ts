import { appendAudit } from "../audit/append.ts";
import type { Transaction } from "../db/connection.ts";
import type { JsonObject } from "../kernel/strict-json.ts";
import type { PeopleContext } from "./context.ts";

export type Subject = { readonly id: string; readonly accountId: string | null };

/** Who is signed in, as the audit trail names them. */
export function userActor(userId: string): string {
  return `user:${userId}`;
}

/** Call it last in its transaction, as every entry of the trail. */
export async function record(
  tx: Transaction,
  ctx: PeopleContext,
  actor: string,
  action: string,
  subject: Subject,
  details: JsonObject = {},
): Promise<void> {
  await appendAudit(tx, new Date(ctx.clock.now()), {
    actor,
    action: `portal_user.${action}`,
    subject: { kind: "portal_user", id: subject.id },
    details: { account_id: subject.accountId, ...details },
  });
}

/** What somebody did to themselves. */
export async function recordOwn(
  tx: Transaction,
  ctx: PeopleContext,
  user: { readonly user_id: string; readonly account_id: string | null },
  action: string,
  details: JsonObject = {},
): Promise<void> {
  await record(tx, ctx, userActor(user.user_id), action, { id: user.user_id, accountId: user.account_id }, details);
}
