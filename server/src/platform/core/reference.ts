// Contract, section 1. Only characters that cannot make a callback's hash ambiguous.
const REFERENCE = /^[A-Za-z0-9._:-]{1,64}$/;

/** A client's own reference: urid, or request_id on the signed services. */
export function isReference(value: unknown): value is string {
  return typeof value === "string" && REFERENCE.test(value);
}
