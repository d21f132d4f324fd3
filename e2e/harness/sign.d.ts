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
export declare function newNonce(): string;
export declare function nowSeconds(): number;
export declare function sixLines(
  request: Signable & {
    readonly timestamp: string;
    readonly nonce: string;
  },
): readonly string[];
export declare function hmac(secret: string, text: string): string;
export declare function signatureHeaders(request: Signable): SignatureHeaders;
export declare function headersOf(timestamp: string, nonce: string, signature: string): SignatureHeaders;
/** RFC 3986, byte by byte. */
export declare function percent(text: string): string;
