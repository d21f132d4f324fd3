/** A request to a provider. */
export type WireRequest = {
  /** The operation it belongs to, such as `recharge.pay`, or a step's own name, such as `login`. Staff see it in the evidence. */
  readonly operation: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | null;
  /** From the call to the last byte of the answer. The operation's own time limit applies as well. */
  readonly timeoutMs?: number;
  /** A larger answer is `unknown`. */
  readonly maxBytes?: number;
  /** Texts that the evidence must not show, besides the secrets and what the store holds. */
  readonly hide?: readonly string[];
};

export type WireAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** Names are in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
      /** The body as UTF-8. */
      readonly text: string;
      /** Whether the answer declared its length or end. Without that, a truncated answer looks complete. */
      readonly endMarked: boolean;
    }
  /** `not_sent` is proof that no byte of the request left this machine. `unknown` is every other missing answer. */
  | { readonly kind: "not_sent" | "unknown"; readonly why: string };

/** The only way out. It sends once, never retries, follows no redirect and never throws. */
export type Wire = { readonly fetch: (request: WireRequest) => Promise<WireAnswer> };
