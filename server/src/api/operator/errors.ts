import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { ChangedMeanwhile } from "../../domain/audit/expect-unchanged.ts";
import { databaseTrouble } from "../../platform/db/database-errors.ts";
import { UnreadableBody } from "../sites/actions/body-parser.ts";
import { faultText } from "../sites/actions/field-faults.ts";
import { hasReadableQuery, textFaults } from "../sites/actions/readable.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";

const STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  unusable_route: 422,
  too_many_requests: 429,
  internal_error: 500,
  busy: 503,
} as const satisfies Record<string, number>;

export type ErrorName = keyof typeof STATUS;
export type Fields = Readonly<Record<string, string>>;

/** Sends a refusal. All refusals of this API have this format (contract, section 8). */
export function refuse(reply: FastifyReply, error: ErrorName, message: string, fields?: Fields): FastifyReply {
  return reply.code(STATUS[error]).send({ error, message, ...(fields ? { fields } : {}) });
}

export function refuseFields(reply: FastifyReply, fields: Fields): FastifyReply {
  const names = Object.keys(fields);
  return refuse(
    reply,
    "invalid_request",
    `The request has ${names.length === 1 ? "a wrong field" : "wrong fields"}: ${names.join(", ")}.`,
    fields,
  );
}

export function notFound(reply: FastifyReply, what = "path"): FastifyReply {
  return refuse(reply, "not_found", `There is no such ${what}.`);
}

/** Contract, section 9b: a wrong method on a known path is 405, whatever the method. */
export function noSuchCall(reply: FastifyReply, methods: readonly string[]): FastifyReply {
  if (methods.length === 0) return notFound(reply);
  return refuse(reply.header("allow", methods.join(", ")), "method_not_allowed", `This path only supports ${methods.join(" and ")}.`);
}

/** Refuses path and query texts that PostgreSQL cannot store. */
export function refuseUnreadable(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  if (Object.keys(textFaults(request.params as object)).length > 0) return notFound(reply, "id");
  if (!hasReadableQuery(request.url)) return refuse(reply, "invalid_request", "An escape in the query is malformed.");
  const fields = textFaults(request.query as object);
  return Object.keys(fields).length > 0 ? refuseFields(reply, fields) : undefined;
}

export function errorHandler(
  deps: OperatorApiDependencies,
): (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  return (error, request, reply) => {
    if (error instanceof UnreadableBody || error instanceof ChangedMeanwhile) return refuse(reply, error.refusal, error.message);
    if (error.validation) return invalid(error, reply);
    if (error.statusCode === 413) return refuse(reply, "body_too_large", "The body is too large.");
    if (error.statusCode === 415) return refuse(reply, "unsupported_media_type", "The body must be application/json.");
    if (error.statusCode !== undefined && error.statusCode < 500) return refuse(reply, "invalid_request", "The request is malformed.");
    deps.log.error(
      { err: error, requestId: reply.getHeader("x-request-id"), route: request.routeOptions.url },
      "operator API request failed",
    );
    if (databaseTrouble(error) !== null) return refuseBusy(request, reply, deps.databaseHealth?.trouble() ?? null, "begun");
    return refuse(reply, "internal_error", "An unexpected error occurred. Give the request id to support.");
  };
}

const RETRY_AFTER_SECONDS = 2;

/** Refuses a request because the database is unavailable, with the reason. A change that was started may have been made. */
export function refuseBusy(
  { method }: FastifyRequest,
  reply: FastifyReply,
  reason: string | null,
  stage: "begun" | "not begun",
): FastifyReply {
  const why = reason === null ? "" : ` (${reason})`;
  const next = method === "GET" ? "Try again shortly." : NEXT[stage];
  reply.header("retry-after", String(RETRY_AFTER_SECONDS));
  return refuse(reply, "busy", `The service is currently unavailable${why}. ${next}`);
}

const NEXT = {
  begun: "Check whether the change was made before you send it again.",
  "not begun": "Nothing was changed. Send it again shortly.",
} as const;

function invalid(error: FastifyError, reply: FastifyReply): FastifyReply {
  // A malformed id is an unknown id.
  if (error.validationContext === "params") return notFound(reply, "id");
  const fields: Record<string, string> = {};
  for (const { instancePath, message, params } of error.validation ?? []) {
    const unknown = Array.isArray(params["keys"]) ? params["keys"] : [];
    for (const name of unknown) fields[String(name)] = "This endpoint has no such field.";
    const name = instancePath.slice(1).replaceAll("/", ".");
    if (unknown.length === 0 && name !== "") fields[name] ??= faultText({ message: message ?? "Not valid.", errors: optionsOf(params) });
  }
  return refuseFields(reply, fields);
}

/** The issues of each option, if the field is a union. */
function optionsOf({ errors }: Readonly<Record<string, unknown>>): readonly (readonly { readonly message: string }[])[] {
  return Array.isArray(errors) ? errors : [];
}
