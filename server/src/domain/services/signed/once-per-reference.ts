import type { Transaction } from "../../../platform/db/connection.ts";
import { requireNotMoved } from "../../ledger/store.ts";
import { isSameFingerprint } from "../../orders/fingerprint.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import type { SignedContext } from "./context.ts";

/** The reference of a request that creates a record but no order. */
export type OperationReference = {
  readonly accountId: string;
  /** The path without its prefix. */
  readonly operation: string;
  readonly requestId: string;
  readonly fingerprint: string;
};

/** `made` is false when an earlier request with the same reference created the record. */
export type Recorded = { readonly kind: "recorded"; readonly record: string; readonly made: boolean };

/** Rolls back everything that was written before a refusal. */
class RolledBack extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.error);
    this.refusal = refusal;
  }
}

/** Finds the record of a reference, for requests that query a provider before they create one. */
export function findRecorded(ctx: SignedContext, reference: OperationReference): Promise<Recorded | Refusal | null> {
  return findKnown(ctx.sql, reference);
}

/**
 * Creates one record for each reference, forever. `make` returns the id of the record; a refusal rolls everything back and
 * leaves the reference free. `make` must not wait for a provider: do that afterwards, with a record in state pending.
 */
export async function oncePerReference(
  ctx: SignedContext,
  reference: OperationReference,
  make: (tx: Transaction) => Promise<string | Refusal>,
): Promise<Recorded | Refusal> {
  const known = await findKnown(ctx.sql, reference);
  if (known) return known;
  try {
    const made = await ctx.sql.begin((tx) => makeIn(ctx, tx, reference, make));
    // A move may not have copied the record. What a provider then did for it would be forgotten.
    await requireNotMoved(ctx.sql, reference.accountId);
    return made;
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
    // The refusal may be a consequence of a concurrent request with the same reference that came first.
    return (await findKnown(ctx.sql, reference)) ?? error.refusal;
  }
}

async function makeIn(
  ctx: SignedContext,
  tx: Transaction,
  reference: OperationReference,
  make: (tx: Transaction) => Promise<string | Refusal>,
): Promise<Recorded | Refusal> {
  const { accountId, operation, requestId, fingerprint } = reference;
  // Waits for a concurrent request with the same reference.
  const { count } = await tx`
    insert into idempotent_requests (account_id, operation, request_id, fingerprint, record, created_at)
    values (${accountId}, ${operation}, ${requestId}, ${fingerprint}, '', ${new Date(ctx.clock.now())})
    on conflict do nothing`;
  // The first request's record was deleted at this very moment.
  if (count === 0)
    return (await findKnown(tx, reference)) ?? refused("busy", "Another request with this request_id was in progress. Try again.");
  const record = await make(tx);
  if (typeof record !== "string") throw new RolledBack(record);
  await tx`
    update idempotent_requests set record = ${record} where account_id = ${accountId} and operation = ${operation} and request_id = ${requestId}`;
  return { kind: "recorded", record, made: true };
}

/** Frees the reference of a record that is deleted; call it in the deletion's transaction. */
export async function freeReference(tx: Transaction, reference: Omit<OperationReference, "fingerprint">): Promise<void> {
  const { accountId, operation, requestId } = reference;
  await tx`delete from idempotent_requests where account_id = ${accountId} and operation = ${operation} and request_id = ${requestId}`;
}

/** The answer to a repeated request whose record was deleted because of its age. The reference stays used for ever. */
export function refuseForgotten({ record, made }: Recorded): Refusal {
  if (made) throw new Error(`The record ${record} was created but cannot be found.`);
  return refused("duplicate_reference", "This request_id was used before, and what it made is no longer stored. Use a new request_id.");
}

async function findKnown(sql: SignedContext["sql"] | Transaction, reference: OperationReference): Promise<Recorded | Refusal | null> {
  const { accountId, operation, requestId, fingerprint } = reference;
  const [row] = await sql<{ fingerprint: string; record: string }[]>`
    select fingerprint, record from idempotent_requests where account_id = ${accountId} and operation = ${operation} and request_id = ${requestId}`;
  if (!row) return null;
  if (!isSameFingerprint(row.fingerprint, fingerprint)) {
    return refused("duplicate_reference", "This request_id was used before with other details.");
  }
  return { kind: "recorded", record: row.record, made: false };
}
