import type { Reply } from "../client/replies.ts";

// Everything that is not the client API answers errors in a form of its own: { error, message }, and a site's JSON
// with the request's id besides.
const OTHERS = /^\/(?:api\/operator|upstream|portal|console|docs|healthz|readyz|metrics)(?:\/|$)/;
const SITE_API = /^\/(?:portal|console)\/api(?:\/|$)/;

/** Whether errors at this path are not in the form of the client API. */
export function hasOtherErrorFormat(path: string): boolean {
  return OTHERS.test(path);
}

export type ErrorBody = { readonly error: string; readonly message: string; readonly request_id?: string };

export function errorBody(path: string, error: string, message: string, requestId: string): ErrorBody {
  return SITE_API.test(path) ? { error, message, request_id: requestId } : { error, message };
}

/** A refusal in the form of the client API, as the given path words it; null for a path that could not be read. */
export function inErrorFormatOf(path: string | null, reply: Reply, requestId: string): Reply {
  if (path === null || !hasOtherErrorFormat(path)) return reply;
  const { error, message } = reply.body;
  return { ...reply, body: errorBody(path, String(error), String(message), requestId) };
}
