import { readFileSync } from "node:fs";

export type RequestVector = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly target: string;
  readonly body_hex: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly secret: string;
  readonly canonical_query: string;
  readonly body_sha256: string;
  readonly string_to_sign: string;
  readonly signature: string;
};

export type CallbackFacts = {
  readonly kind: "status" | "complaint";
  readonly status: string;
  readonly order_id: string;
  readonly urid: string;
  readonly [name: string]: unknown;
};

export type CallbackVector = {
  readonly name: string;
  readonly version: 2 | 3;
  readonly url: string;
  readonly ts: number;
  readonly nonce: string;
  readonly key: string;
  readonly facts: CallbackFacts;
  readonly parameters?: readonly (readonly [string, string])[];
  readonly body?: string;
  readonly body_hex?: string;
  readonly hashed_text?: string;
  readonly hash?: string;
  readonly signature?: string;
  readonly target: string;
};

export const requestVectors = read<RequestVector>("request-signing.json");
export const callbackVectors = read<CallbackVector>("callbacks.json");

// An empty file would let every test over it pass.
function read<Vector>(file: string): readonly Vector[] {
  const path = new URL(`../../contract/vectors/${file}`, import.meta.url);
  const { vectors } = JSON.parse(readFileSync(path, "utf8")) as { readonly vectors: readonly Vector[] };
  if (vectors.length < 10) throw new Error(`${file} holds only ${vectors.length} vectors.`);
  return vectors;
}
