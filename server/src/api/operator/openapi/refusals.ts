import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { ErrorName } from "../errors.ts";

type Described = { readonly status: number; readonly description: string; readonly message: string };

const REFUSALS: Partial<Record<ErrorName, Described>> = {
  invalid_request: { status: 400, description: "A field is wrong", message: "The request has a wrong field: amount." },
  unauthorized: {
    status: 401,
    description: "The operator key is missing, unknown or expired",
    message: "The operator key is missing or unknown.",
  },
  forbidden: {
    status: 403,
    description: "The operator key may not make this call, or not from this address",
    message: "This operator key has the role auditor, which may not make this call.",
  },
  not_found: { status: 404, description: "There is no such thing", message: "There is no such order." },
  conflict: { status: 409, description: "The current state does not allow it", message: "The account is closed." },
  body_too_large: { status: 413, description: "The body is too large", message: "The body is too large." },
  unsupported_media_type: { status: 415, description: "The body is not JSON", message: "The body must be application/json." },
  unusable_route: { status: 422, description: "The route could never be used", message: "The provider cannot do this service." },
  too_many_requests: { status: 429, description: "Too many requests", message: "Try again in a few seconds." },
  internal_error: {
    status: 500,
    description: "An unexpected error",
    message: "An unexpected error occurred. Give the request id to support.",
  },
  busy: { status: 503, description: "The service is unavailable", message: "The service is currently unavailable. Try again shortly." },
};

const ALWAYS: readonly ErrorName[] = ["invalid_request", "unauthorized", "forbidden", "internal_error", "busy"];
const OF_CHANGES: readonly ErrorName[] = ["conflict", "body_too_large", "unsupported_media_type", "unusable_route", "too_many_requests"];

type Refusing = { readonly method: string; readonly hasParams: boolean; readonly isStream: boolean };

/** References to the refusals that an operation may send. */
export function refusalReferences({ method, hasParams, isStream }: Refusing): JsonObject {
  const names = [
    ...ALWAYS,
    ...(hasParams || method === "GET" ? ["not_found" as const] : []),
    ...(method === "POST" ? OF_CHANGES : []),
    ...(isStream ? ["too_many_requests" as const] : []),
  ];
  const references = names.flatMap((name) => {
    const described = REFUSALS[name];
    return described ? [[String(described.status), { $ref: `#/components/responses/${name}` }] as const] : [];
  });
  return Object.fromEntries(references.toSorted(([one], [other]) => Number(one) - Number(other)));
}

/** The refusals as components of the document. */
export function refusalResponses(): JsonObject {
  return Object.fromEntries(
    Object.entries(REFUSALS).map(([error, { description, message }]) => [
      error,
      {
        description,
        content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" }, example: { error, message } } },
      },
    ]),
  );
}

export const REFUSAL_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    error: { type: "string", enum: Object.keys(REFUSALS), description: "A code for programs." },
    message: { type: "string", description: "What happened and what to do next." },
    fields: { type: "object", additionalProperties: { type: "string" }, description: "What is wrong with each field." },
    request_id: { type: "string" },
  },
  required: ["error", "message"],
  additionalProperties: false,
};
