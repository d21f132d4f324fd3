import type { Address } from "../../platform/network/address.ts";
import type { Account } from "../accounts/account.ts";
import type { KeptBodies, StoredBodies } from "./kept-bodies.ts";

/** The key of a signature: the signing secret, a replaced one that is still valid, or the API token (the earlier scheme). */
export type SignedBy = { readonly how: "secret" | "old_secret"; readonly credentialId: string } | { readonly how: "token" };

/** An answered request of the client API, as handed over. Nothing is computed or copied before the flush. */
export type Call = {
  readonly account: Account;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly requestId: string;
  readonly method: string;
  /** The route's path, or a safe form of the requested path when there is no route. */
  readonly path: string;
  readonly status: number;
  readonly error: string | null;
  readonly code: number | null;
  readonly milliseconds: number;
  readonly address: Address;
  /** The client's reference, if it is valid. */
  readonly reference: string | null;
  readonly orderId: string | null;
  readonly signedBy: SignedBy | null;
  /** The token that identified the account. */
  readonly tokenId: string | null;
  /** Refused for its format, before the gate. */
  readonly isFault: boolean;
  /** Null if the account does not keep the bodies of such a request. */
  readonly bodies: KeptBodies | null;
  /** Only for a refused signature. */
  readonly lines: SignedLines | null;
};

/** The six signed lines as the service computed them, and why the signature was refused. */
export type SignedLines = {
  readonly method: string;
  readonly path: string;
  readonly canonicalQuery: string;
  readonly bodySha256: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly reason: string;
};

/** A single request, or `times` similar ones. */
export type MergedCalls = { readonly call: Call; times: number };

/** A row of the log. */
export type LoggedCalls = Readonly<MergedCalls> & { readonly bodies: StoredBodies | null };

const NOT_ADMITTED: ReadonlySet<string | null> = new Set(["ip_not_allowed", "rate_limited", "busy"]);

/** Whether allowlist, budget and load admitted it. Only then does it count as use of its credential, and are its bodies kept. */
export function wasAdmitted({ isFault, error }: Pick<Call, "isFault" | "error">): boolean {
  return !isFault && !NOT_ADMITTED.has(error);
}
