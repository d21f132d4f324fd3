import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { appendAudit } from "../audit/append.ts";
import type { AuthContext, Realm } from "./context.ts";

export type Subject = { readonly id: string; readonly accountId: string | null };

/** The actor of a signed-in person in the audit log: `user:` for clients, `staff:` for staff. */
export function personActor(realm: Realm, userId: string): string {
  return `${realm === "portal" ? "user" : "staff"}:${userId}`;
}

const KINDS = { portal: "portal_user", console: "staff" } as const;

/** Call it last in its transaction, like every audit entry. */
export async function record(
  tx: Transaction,
  ctx: AuthContext,
  actor: string,
  action: string,
  subject: Subject,
  details: JsonObject = {},
): Promise<void> {
  await appendAudit(tx, new Date(ctx.clock.now()), {
    actor,
    action: `${KINDS[ctx.realm]}.${action}`,
    subject: { kind: KINDS[ctx.realm], id: subject.id },
    details: subject.accountId === null ? details : { account_id: subject.accountId, ...details },
  });
}

/** Records what a person did to their own user. */
export async function recordOwn(
  tx: Transaction,
  ctx: AuthContext,
  user: { readonly user_id: string; readonly account_id: string | null },
  action: string,
  details: JsonObject = {},
): Promise<void> {
  await record(tx, ctx, personActor(ctx.realm, user.user_id), action, { id: user.user_id, accountId: user.account_id }, details);
}
