import type { Transaction } from "../../../platform/db/connection.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import type { SignedContext } from "./context.ts";

/** A call that makes a record but no order, by its reference. */
export type CallReference = {
  readonly accountId: string;
  /** The path, without its prefix. */
  readonly call: string;
  readonly requestId: string;
  readonly fingerprint: string;
};

/** `made` says whether this request made the record or an earlier one with the same reference did. */
export type Recorded = { readonly kind: "recorded"; readonly record: string; readonly made: boolean };

/** Undoes what was written together with a refusal. */
class Undone extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.error);
    this.refusal = refusal;
  }
}

/** The record that a reference has already, for calls that ask a provider before they make one. */
export function findRecorded(ctx: SignedContext, reference: CallReference): Promise<Recorded | Refusal | null> {
  return findKnown(ctx.sql, reference);
}

/**
 * Makes a record once per reference, for ever. `make` names the record it has made; a refusal undoes all and leaves the
 * reference free. No slow call belongs in it: what a provider has to do is done after, on a record that says it is pending.
 */
export async function oncePerReference(
  ctx: SignedContext,
  reference: CallReference,
  make: (tx: Transaction) => Promise<string | Refusal>,
): Promise<Recorded | Refusal> {
  const known = await findKnown(ctx.sql, reference);
  if (known) return known;
  try {
    return await ctx.sql.begin((tx) => makeIn(ctx, tx, reference, make));
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    // The reason may be that the first one with this reference was quicker.
    return (await findKnown(ctx.sql, reference)) ?? error.refusal;
  }
}

async function makeIn(
  ctx: SignedContext,
  tx: Transaction,
  reference: CallReference,
  make: (tx: Transaction) => Promise<string | Refusal>,
): Promise<Recorded | Refusal> {
  const { accountId, call, requestId, fingerprint } = reference;
  // Waits for another request with the same reference that is under way.
  const { count } = await tx`
    insert into call_references (account_id, call, request_id, fingerprint, record, created_at)
    values (${accountId}, ${call}, ${requestId}, ${fingerprint}, '', ${new Date(ctx.clock.now())})
    on conflict do nothing`;
  // Gone by now: the first one's record came to nothing this very moment.
  if (count === 0) return (await findKnown(tx, reference)) ?? refused("busy", "Another request with this request_id was under way.");
  const record = await make(tx);
  if (typeof record !== "string") throw new Undone(record);
  await tx`
    update call_references set record = ${record} where account_id = ${accountId} and call = ${call} and request_id = ${requestId}`;
  return { kind: "recorded", record, made: true };
}

/** Leaves a reference free again whose record came to nothing after all; belongs with the deletion of that record. */
export async function forgetReference(tx: Transaction, reference: Omit<CallReference, "fingerprint">): Promise<void> {
  const { accountId, call, requestId } = reference;
  await tx`delete from call_references where account_id = ${accountId} and call = ${call} and request_id = ${requestId}`;
}

async function findKnown(sql: SignedContext["sql"] | Transaction, reference: CallReference): Promise<Recorded | Refusal | null> {
  const { accountId, call, requestId, fingerprint } = reference;
  const [row] = await sql<{ fingerprint: string; record: string }[]>`
    select fingerprint, record from call_references where account_id = ${accountId} and call = ${call} and request_id = ${requestId}`;
  if (!row) return null;
  if (row.fingerprint !== fingerprint) return refused("duplicate_reference", "This request_id was used before, with other details.");
  return { kind: "recorded", record: row.record, made: false };
}
