import type { Message } from "./formats.ts";
import { COMMON_HEADERS } from "./send.ts";

/** A callback as it goes over the wire, for people to look at. */
export type ShownRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

export function shownRequest(message: Message): ShownRequest {
  const { method, origin, path, headers, body } = message;
  return {
    method,
    url: origin + path,
    headers: {
      host: new URL(origin).host,
      ...COMMON_HEADERS,
      ...headers,
      ...(body === null ? {} : { "content-length": String(body.length) }),
    },
    body: body === null ? null : body.toString("utf8"),
  };
}
