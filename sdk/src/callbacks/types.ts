/** A message as it arrived. */
export type IncomingCallback = {
  readonly method: string;
  /** The request line's target, or a whole URL; its query is read as it stands. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The exact bytes received, before any parsing; empty on a GET. */
  readonly body: Uint8Array;
};

type Verified = {
  readonly version: 2 | 3;
  readonly orderId: string;
  readonly urid: string;
  /** Unix seconds of this delivery. */
  readonly ts: number;
  /** Nonce of this delivery. If the same callback is sent again, it has another one. */
  readonly nonce: string;
  /** Book each key once; see `bookingKey`. */
  readonly bookingKey: string;
  /** Everything that was signed, under its name on the wire, the URL's own query (version 2) and later fields included. */
  readonly parameters: Readonly<Record<string, string>>;
};

/** FAILED after SUCCESS is a reversal: it has a key of its own and must be applied. */
export type StatusCallback = Verified & {
  readonly kind: "status";
  readonly status: "SUCCESS" | "FAILED";
  /** Null in version 2, which does not carry it, and when there is none. */
  readonly operatorRef: string | null;
  readonly amount: string;
  readonly account: string;
};

export type ComplaintCallback = Verified & {
  readonly kind: "complaint";
  readonly complaintRef: string;
  readonly status: "RESOLVED" | "REFUNDED";
  readonly refundAmount: string;
  /** The decision in a sentence; null in version 2. */
  readonly reason: string | null;
  /** India time, `YYYY-MM-DD HH:MM:SS`. */
  readonly resolvedAt: string;
  /** A test that was sent from the portal. Credit nothing for it. */
  readonly test: boolean;
};

export type Callback = StatusCallback | ComplaintCallback;

export type CallbackRefusal =
  /** Neither a GET (version 2) nor a POST (version 3). */
  | "not_a_callback"
  /** The verifier has no key for this version. */
  | "version_not_accepted"
  | "wrong_signature"
  /** More than 300 seconds from this machine's clock. */
  | "stale"
  | "replayed"
  /** Correctly signed, but not a message that this SDK knows. */
  | "malformed";

export type Verdict = { readonly ok: true; readonly callback: Callback } | { readonly ok: false; readonly reason: CallbackRefusal };

/** Where nonces are kept. All processes that receive callbacks must share it; the README has one that uses a database. */
export type NonceStore = {
  /** Remembers a nonce until that time (Unix seconds), atomically. Returns false if it was remembered already. */
  readonly remember: (nonce: string, untilSeconds: number) => boolean | Promise<boolean>;
};
