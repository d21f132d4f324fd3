export type SentRequest = { readonly method: string; readonly target: string };

export type SentRequests = {
  readonly add: (bytes: Buffer) => void;
  /** The request that the next reply belongs to; null when what was sent does not say. */
  readonly next: () => SentRequest | null;
};

const REQUEST_LINE = /^([A-Z]+) (\/\S*) HTTP\/1\.[01]\r\n/;

/** Follows what is sent on a connection, as far as it is ordinary, so that replies can be distinguished. */
export function followRequests(): SentRequests {
  const waiting: SentRequest[] = [];
  let head = "";
  let bodyBytes = 0;
  // After anything that ends where only its receiver knows.
  let isLost = false;
  const add = (bytes: Buffer) => {
    if (isLost) return;
    const skipped = Math.min(bodyBytes, bytes.length);
    bodyBytes -= skipped;
    head += bytes.toString("latin1", skipped);
    for (let end = head.indexOf("\r\n\r\n"); end >= 0 && !isLost; end = head.indexOf("\r\n\r\n")) {
      const request = requestOf(head);
      const length = lengthOf(head.slice(0, end));
      if (request) waiting.push(request);
      isLost = request === null || length === null;
      const rest = head.slice(end + 4);
      head = isLost ? "" : rest.slice(length ?? 0);
      bodyBytes = Math.max(0, (length ?? 0) - rest.length);
    }
  };
  // A reply may come before its request has ended, or instead of that.
  return { add, next: () => waiting.shift() ?? requestOf(head) };
}

function requestOf(head: string): SentRequest | null {
  const [, method, target] = REQUEST_LINE.exec(head) ?? [];
  return method === undefined || target === undefined ? null : { method, target };
}

/** How long the body is; null when that is not said in the one plain way. */
function lengthOf(head: string): number | null {
  if (/^transfer-encoding/im.test(head)) return null;
  const [first, ...more] = [...head.matchAll(/^content-length:(.*)$/gim)].map(([, value = ""]) => value.trim());
  if (first === undefined) return 0;
  return more.length === 0 && /^[0-9]{1,9}$/.test(first) ? Number(first) : null;
}
