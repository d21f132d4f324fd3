import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { queryText, signature, stringToSign } from "./sign-call.ts";

type Vector = {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly body: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly secret: string;
  readonly canonical_query: string;
  readonly string_to_sign: string;
  readonly signature: string;
};

const file = new URL("../../../../../contract/vectors/request-signing.json", import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, "utf8")) as { readonly vectors: readonly Vector[] };

test.each(vectors)("a call is signed as the vectors say: $name", (vector) => {
  expect(queryText(vector.query)).toBe(vector.canonical_query);
  expect(stringToSign(vector, vector)).toBe(vector.string_to_sign);
  expect(signature(vector, vector, vector.secret)).toBe(vector.signature);
});
