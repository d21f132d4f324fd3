/** The headers that affect processing, each with all its values. */
export type RequestHead = {
  readonly token: readonly string[];
  readonly authorization: readonly string[];
  readonly signature: readonly string[];
  readonly timestamp: readonly string[];
  readonly nonce: readonly string[];
  readonly forwardedFor: readonly string[];
  readonly contentType: readonly string[];
  readonly contentEncoding: readonly string[];
  /** True for a Content-Length other than zero or a chunked body. */
  readonly announcesBody: boolean;
};

const FIELDS = new Map<string, Exclude<keyof RequestHead, "announcesBody">>([
  ["x-api-token", "token"],
  ["authorization", "authorization"],
  ["x-api-signature", "signature"],
  ["x-api-timestamp", "timestamp"],
  ["x-api-nonce", "nonce"],
  ["x-forwarded-for", "forwardedFor"],
  ["content-type", "contentType"],
  ["content-encoding", "contentEncoding"],
]);

const NONE: readonly string[] = [];

/**
 * Reads the raw header list, because Node's parsed headers hide duplicates.
 */
export function readHead(rawHeaders: readonly string[]): RequestHead {
  const head: { -readonly [Field in keyof RequestHead]: RequestHead[Field] } = {
    token: NONE,
    authorization: NONE,
    signature: NONE,
    timestamp: NONE,
    nonce: NONE,
    forwardedFor: NONE,
    contentType: NONE,
    contentEncoding: NONE,
    announcesBody: false,
  };
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    const value = rawHeaders[at + 1] ?? "";
    const field = FIELDS.get(name);
    if (field) head[field] = head[field] === NONE ? [value] : [...head[field], value];
    else if (name === "transfer-encoding" || (name === "content-length" && value.trim() !== "0")) head.announcesBody = true;
  }
  return head;
}
