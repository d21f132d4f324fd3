import type { Reply } from "../client/replies.ts";

// Outside the client API an error is { error, message }. The JSON APIs of portal and console add the request id.
const OTHERS = /^\/(?:api\/operator|upstream|portal|console|docs|healthz|readyz|metrics)(?:\/|$)/;
const SITE_API = /^\/(?:portal|console)\/api(?:\/|$)/;

/** Whether errors at this path differ from the client API's format. */
export function hasOtherErrorFormat(path: string): boolean {
  return OTHERS.test(path);
}

export type ErrorBody = { readonly error: string; readonly message: string; readonly request_id?: string };

export function errorBody(path: string, error: string, message: string, requestId: string): ErrorBody {
  return SITE_API.test(path) ? { error, message, request_id: requestId } : { error, message };
}

/** Converts a refusal of the client API to the error format of a path. A null path is one that could not be read. */
export function inErrorFormatOf(path: string | null, reply: Reply, requestId: string): Reply {
  if (path === null || !hasOtherErrorFormat(path)) return reply;
  const { error, message } = reply.body;
  return { ...reply, body: errorBody(path, String(error), String(message), requestId) };
}
