import { stableHash } from "../routing/stable-hash.ts";

/** Which versions of a provider new orders use. */
export type Rollout = {
  readonly provider: string;
  readonly version: number;
  readonly candidate: number | null;
  /** From 0 to 100. */
  readonly percent: number;
};

/**
 * The version of a new order. It depends only on the order, so that a larger share contains the orders of a smaller one; it
 * is stored with the order, so that a later change of the share does not move it.
 */
export function chooseVersion({ provider, version, candidate, percent }: Rollout, orderId: string): number {
  if (candidate === null || percent === 0) return version;
  return stableHash(`${provider}/${orderId}`) % 100 < percent ? candidate : version;
}
