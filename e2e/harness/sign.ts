import { createHash, createHmac, randomBytes } from "node:crypto";

// Written from the specification, sharing nothing with the service: a mistake made on both sides would hide.

export type Signable = {
  readonly method: string;
  readonly path: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly body?: Uint8Array;
  readonly secret: string;
  readonly timestamp?: string;
  readonly nonce?: string;
};

export type SignatureHeaders = readonly (readonly [string, string])[];

export function newNonce(): string {
  return randomBytes(12).toString("hex");
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

export function sixLines(request: Signable & { readonly timestamp: string; readonly nonce: string }): readonly string[] {
  const body = createHash("sha256")
    .update(request.body ?? new Uint8Array())
    .digest("hex");
  return [request.method, request.path, canonical(request.query ?? []), body, request.timestamp, request.nonce];
}

export function hmac(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}

export function signatureHeaders(request: Signable): SignatureHeaders {
  const timestamp = request.timestamp ?? String(nowSeconds());
  const nonce = request.nonce ?? newNonce();
  return headersOf(timestamp, nonce, hmac(request.secret, sixLines({ ...request, timestamp, nonce }).join("\n")));
}

export function headersOf(timestamp: string, nonce: string, signature: string): SignatureHeaders {
  return [
    ["X-Api-Timestamp", timestamp],
    ["X-Api-Nonce", nonce],
    ["X-Api-Signature", signature],
  ];
}

function canonical(query: readonly (readonly [string, string])[]): string {
  return [...query]
    .filter(([name]) => name !== "token")
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([name, value]) => `${percent(name)}=${percent(value)}`)
    .join("&");
}

/** RFC 3986, byte by byte. */
export function percent(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9\-_.~]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}
