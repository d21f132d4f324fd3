import { hash } from "node:crypto";
import type { Order } from "./order.ts";

export type Reference = Pick<Order, "accountId" | "service" | "reference" | "operation">;

// Of the 32 hexadecimal digits of a digest. The SQL function order_reference_digest computes the same.
const REFERENCE_DIGITS = 24;
const OPERATION_DIGITS = 8;

/** The key under which a reference is stored for ever: 16 bytes, as PostgreSQL's uuid. */
export function referenceDigest({ accountId, service, reference, operation }: Reference): string {
  return referencePrefix(accountId, service, reference) + operationDigits(operation);
}

/** The first and the last digest that a reference can have, whichever operation of the service it was used for. */
export function digestRange(accountId: string, service: string, reference: string): readonly [first: string, last: string] {
  const prefix = referencePrefix(accountId, service, reference);
  return [prefix + "0".repeat(OPERATION_DIGITS), prefix + "f".repeat(OPERATION_DIGITS)];
}

/** Digests as an array literal, because the driver knows no arrays of uuid. */
export function digestArray(digests: readonly string[]): string {
  return `{${digests.join(",")}}`;
}

function referencePrefix(accountId: string, service: string, reference: string): string {
  return hash("sha256", `${accountId}\n${service}\n${reference}`, "hex").slice(0, REFERENCE_DIGITS);
}

const operations = new Map<string, string>();

/** There are only a few operations, and every order has one. */
function operationDigits(call: string): string {
  const known = operations.get(call);
  if (known !== undefined) return known;
  const digits = hash("sha256", call, "hex").slice(0, OPERATION_DIGITS);
  operations.set(call, digits);
  return digits;
}
