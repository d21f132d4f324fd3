import type { OwnFault, Recorder } from "../connector.ts";

export type Call = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly origin: string;
  /** Path and query exactly as sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
  /** A query moves no money: its answer may be large, and it waits behind transactions. Absent: a transaction. */
  readonly kind?: "transaction" | "query";
  /** The time limit of this call, instead of the wire's. */
  readonly wholeMilliseconds?: number;
  /** The largest answer of this call: 64 kB for a transaction and 8 MB for a query by default, never more than 8 MB. */
  readonly maxAnswerBytes?: number;
};

/** The headers of a call as they are sent, with those that every call has. */
export function sentHeaders({ headers }: Call): Readonly<Record<string, string>> {
  const sent: Record<string, string> = { "user-agent": "corprail", "accept-encoding": "identity" };
  for (const name in headers) sent[name] = headers[name] ?? "";
  return sent;
}

export type Answer = {
  readonly status: number;
  /** Names are in lower case; several values are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether the response declared its length or end. Without that, a truncated answer looks complete. */
  readonly endMarked: boolean;
};

/** `not_sent` is proof that no byte of the request was written to a connection. `unknown` is every other missing answer. */
export type Exchange =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "not_sent" | "unknown"; readonly why: string; readonly fault?: OwnFault };

/** How an exchange is kept as evidence. */
export type Evidence = {
  /** The name of the operation, such as `bills.pay` or `bills.pay.status`. */
  readonly operation: string;
  readonly record: Recorder | undefined;
  /** What stays readable although it looks like an account number: our reference, the amount, a mobile number. */
  readonly readable?: readonly string[];
  /** Values of this call that belong into no evidence, besides the provider's secrets: its token, signatures and keys. */
  readonly hidden?: readonly string[];
  /** The call as evidence shows it, if it is not the one that is sent: parts of secrets are masked where they stand. */
  readonly shown?: Pick<Call, "path" | "headers" | "body">;
};
