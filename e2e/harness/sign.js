import { createHash, createHmac, randomBytes } from "node:crypto";
export function newNonce() {
  return randomBytes(12).toString("hex");
}
export function nowSeconds() {
  return Math.floor(Date.now() / 1000);
}
export function sixLines(request) {
  const body = createHash("sha256")
    .update(request.body ?? new Uint8Array())
    .digest("hex");
  return [request.method, request.path, canonical(request.query ?? []), body, request.timestamp, request.nonce];
}
export function hmac(secret, text) {
  return createHmac("sha256", secret).update(text).digest("hex");
}
export function signatureHeaders(request) {
  const timestamp = request.timestamp ?? String(nowSeconds());
  const nonce = request.nonce ?? newNonce();
  return headersOf(timestamp, nonce, hmac(request.secret, sixLines({ ...request, timestamp, nonce }).join("\n")));
}
export function headersOf(timestamp, nonce, signature) {
  return [
    ["X-Api-Timestamp", timestamp],
    ["X-Api-Nonce", nonce],
    ["X-Api-Signature", signature],
  ];
}
function canonical(query) {
  return [...query]
    .filter(([name]) => name !== "token")
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([name, value]) => `${percent(name)}=${percent(value)}`)
    .join("&");
}
/** RFC 3986, byte by byte. */
export function percent(text) {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9\-_.~]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}
//# sourceMappingURL=sign.js.map
