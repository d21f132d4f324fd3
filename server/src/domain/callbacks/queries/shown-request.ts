import type { Message } from "../delivery/formats.ts";
import { COMMON_HEADERS } from "../delivery/send.ts";

/** A callback request as it is sent, for display. */
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
