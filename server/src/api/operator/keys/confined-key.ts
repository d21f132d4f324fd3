import type { Caller } from "../caller.ts";
import { Refusal } from "../refusal.ts";

/**
 * Why a key that works for a time or from some addresses only cannot let staff in; null for other callers. Their access
 * would outlast the key or work from elsewhere.
 */
export function confinedKeyRefusal({ keyLimits }: Pick<Caller, "keyLimits">): Refusal | null {
  const isConfined = keyLimits !== null && (keyLimits.expires_at !== null || keyLimits.source_addresses.length > 0);
  return isConfined ? new Refusal("forbidden", LETS_NOBODY_IN) : null;
}

const LETS_NOBODY_IN =
  "An operator key with an expiry or source addresses cannot let staff in. Use a key without these limits, or the console.";
