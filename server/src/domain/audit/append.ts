import { createHash } from "node:crypto";
import { canonicalJson } from "../../platform/core/canonical-json.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { noteWritten, refuseChanged } from "./expect-unchanged.ts";

export type Actor = string;

export type AuditEntry = {
  /** The actor: `key:<id>`, `operator-key`, `user:<id>`, `system`. */
  readonly actor: Actor;
  readonly action: string;
  readonly subject: {
    readonly kind:
      | "account"
      | "service"
      | "signing_key"
      | "operator"
      | "operator_key"
      | "master_key"
      | "order"
      | "complaint"
      | "provider"
      /** A fee or commission rule. */
      | "commercial"
      | "installation"
      | "alert"
      | "alert_settings"
      /** A background job of staff. */
      | "job"
      | "reconciliation"
      | "approval"
      /** The status page and announcements. */
      | "status"
      /** A portal user or an invitation; the details name the account. */
      | "portal_user"
      | "staff"
      /** The configuration files that were applied. */
      | "configuration";
    readonly id: string;
  };
  /** What changed. It never contains a secret. */
  readonly details: JsonObject;
};

/**
 * Writes an entry in the caller's transaction. The head row stays locked until the commit, so that the sequence has no gap
 * and follows the order of commits. Call it last, because other writers wait from here on.
 */
export async function appendAudit(tx: Transaction, at: Date, entry: AuditEntry): Promise<void> {
  const [head] = await tx<{ seq: bigint; hash: Buffer }[]>`select seq, hash from audit_head for update`;
  if (!head) throw new Error("The audit log's head is missing.");
  await refuseChanged(tx, entry.subject);
  const row = { seq: head.seq + 1n, at, ...entry, details: canonicalJson(entry.details), previousHash: head.hash };
  const hash = entryHash(row);
  await tx`
    insert into audit_log (seq, at, actor, action, subject_kind, subject_id, details, previous_hash, hash)
    values (${row.seq}, ${at}, ${entry.actor}, ${entry.action}, ${entry.subject.kind}, ${entry.subject.id}, ${row.details}, ${head.hash}, ${hash})`;
  await tx`update audit_head set seq = ${row.seq}, hash = ${hash}`;
  await noteWritten(tx, row.seq);
}

export type HashedEntry = {
  readonly seq: bigint;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string };
  readonly details: string;
  readonly previousHash: Buffer;
};

/** The text that is hashed: every column and the previous hash, so that any change breaks the chain from there on. */
export function entryText(entry: HashedEntry): string {
  return canonicalJson([
    entry.seq.toString(),
    entry.at.toISOString(),
    entry.actor,
    entry.action,
    entry.subject.kind,
    entry.subject.id,
    entry.details,
    entry.previousHash.toString("hex"),
  ]);
}

export function entryHash(entry: HashedEntry): Buffer {
  return createHash("sha256").update(entryText(entry)).digest();
}
