import type { CallbackReply, ProviderMessage } from "../../connector.ts";
import type { CallbackReplyDefinition } from "../language/callbacks.ts";
import type { Engine } from "../run/engine.ts";
import { ESCAPES, type Escape } from "../template/escape.ts";
import { render } from "../template/render.ts";
import { callbacksAt, signedParts } from "./read-callback.ts";

const insideJson: Escape = (text) => JSON.stringify(text).slice(1, -1);

/** The reply to an accepted callback, with the values of the callback that it repeats. A value that is not there is empty. */
export function replyTo(
  engine: Pick<Engine, "definition" | "clock" | "clean">,
  { status, content_type: contentType, body }: CallbackReplyDefinition,
  message: ProviderMessage,
): CallbackReply {
  const [callback] = callbacksAt(engine.definition, message);
  if (callback === undefined) return { status, contentType, body };
  // A reply shows no secret to anybody.
  const { scope } = signedParts({ ...engine, secrets: {} }, callback, message);
  return { status, contentType, body: render(body, scope, escapeFor(contentType)) };
}

function escapeFor(contentType: string): Escape {
  if (contentType.includes("json")) return insideJson;
  if (contentType.includes("xml") || contentType.includes("html")) return ESCAPES.xml;
  return contentType.includes("form") ? ESCAPES.form : ESCAPES.none;
}
