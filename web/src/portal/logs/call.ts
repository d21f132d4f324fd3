import type { Tone } from "../../ui/badge.tsx";

export type Call = {
  readonly call_id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly error: string | null;
  readonly code: number | null;
  readonly milliseconds: number;
  readonly address: string;
  readonly urid: string | null;
  readonly order_id: string | null;
  readonly signed: "none" | "secret" | "old_secret" | "token";
  readonly request_id: string;
  /** Number of calls this row represents. Floods of the same refusal are merged into one row. */
  readonly times: number;
};

/** The lines that the service computed for a refused signature. */
export type Signature = {
  readonly method: string;
  readonly path: string;
  readonly canonical_query: string;
  readonly body_sha256: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly reason: string;
};

export type CallDetail = Call & { readonly signature: Signature | null };

export const SIGNED_NAMES: Readonly<Record<Call["signed"], string>> = {
  none: "Not signed",
  secret: "Signing secret",
  old_secret: "Old signing secret",
  token: "API token",
};

export function statusTone(status: number): Tone {
  if (status >= 500) return "bad";
  if (status >= 400) return "wait";
  return "good";
}

export function sixLines({ method, path, canonical_query: query, body_sha256: hash, timestamp, nonce }: Signature): string {
  return [method, path, query, hash, timestamp, nonce].join("\n");
}
