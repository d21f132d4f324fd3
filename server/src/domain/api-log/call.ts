import type { Address } from "../../platform/network/address.ts";
import type { Account } from "../accounts/account.ts";

/** Which key made a signature: a signing secret, one that was replaced and still works, or the API token (the earlier scheme). */
export type SignedBy = { readonly how: "secret" | "old_secret"; readonly credentialId: string } | { readonly how: "token" };

/** An answered call of the client API, as it is handed over: nothing is worked out or copied here, that waits for the flush. */
export type Call = {
  readonly account: Account;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly requestId: string;
  readonly method: string;
  /** The route's; of a call that leads nowhere, what may be shown of its own. */
  readonly path: string;
  readonly status: number;
  readonly error: string | null;
  readonly code: number | null;
  readonly milliseconds: number;
  readonly address: Address;
  /** The client's own reference, when it gave a valid one. */
  readonly reference: string | null;
  readonly orderId: string | null;
  readonly signedBy: SignedBy | null;
  /** Refused for its shape, before the gate. */
  readonly isFault: boolean;
  /** Of a refused signature; null otherwise. */
  readonly lines: SignedLines | null;
};

/** The six lines as the service computed them, and why the signature was refused. */
export type SignedLines = {
  readonly method: string;
  readonly path: string;
  readonly canonicalQuery: string;
  readonly bodySha256: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly reason: string;
};

/** A call that stands for itself, or for `times` of its kind. */
export type Folded = { readonly call: Call; times: number };

const KEPT_OUT: ReadonlySet<string | null> = new Set(["ip_not_allowed", "rate_limited", "busy"]);

/** Whether address list, budget and load let it in: only then does it count as use of what it came with. */
export function wasLetIn(call: Call): boolean {
  return !call.isFault && !KEPT_OUT.has(call.error);
}
