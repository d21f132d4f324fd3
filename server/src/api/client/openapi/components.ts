import type { Route } from "../../../domain/client-api/route.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { HOW_TO_SIGN } from "../gate/signature.ts";
import { isSigned, refusalResponses } from "./refusals.ts";

/** The shared components that at least one route refers to. */
export function componentsOf(routes: readonly Route[]): JsonObject {
  const signed = routes.some(isSigned);
  const transaction = routes.some((route) => route.kind === "transaction");
  return {
    securitySchemes: SECURITY_SCHEMES,
    parameters: {
      ...(routes.some((route) => !isSigned(route)) ? signatureParameters(false) : {}),
      ...(signed ? signatureParameters(true) : {}),
    },
    headers: HEADERS,
    responses: refusalResponses(routes),
    schemas: {
      Refusal: REFUSAL,
      ...(signed ? { SignedServiceRefusal: SIGNED_SERVICE_REFUSAL } : {}),
      ...(transaction ? { FailedTransaction: FAILED_TRANSACTION } : {}),
    },
  };
}

const SECURITY_SCHEMES: JsonObject = {
  ApiToken: {
    type: "apiKey",
    in: "header",
    name: "X-Api-Token",
    description: "The account's API token. This is the preferred way to send it.",
  },
  BearerToken: { type: "http", scheme: "bearer", description: "The same API token as Authorization: Bearer." },
  QueryToken: {
    type: "apiKey",
    in: "query",
    name: "token",
    description: "The same API token in the query. Discouraged, because URLs reach access logs. It is excluded from the signed query.",
  },
};

export const SECURITY: readonly JsonObject[] = [{ ApiToken: [] }, { BearerToken: [] }, { QueryToken: [] }];

const SIGNATURE_HEADERS = [
  {
    name: "X-Api-Timestamp",
    description: "The Unix time in seconds, at most 300 seconds from the service's clock.",
    schema: { type: "string", pattern: "^[1-9][0-9]{9}$" },
    example: "1768453200",
  },
  {
    name: "X-Api-Nonce",
    description: "A new random value for every attempt, retries included. A nonce that was used before is refused.",
    schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,64}$" },
    example: "5f2b8c1e9a7d4f3b6c0e2a18",
  },
  {
    name: "X-Api-Signature",
    description:
      "The HMAC-SHA256, in lowercase hexadecimal digits and keyed with the whole signing secret, of six lines joined by newlines: " +
      "method, path, canonical query, SHA-256 of the body, timestamp, nonce.",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
    example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  },
] as const;

function signatureParameters(required: boolean): JsonObject {
  const note = required ? "" : " Optional, unless the account must sign; when any of the three headers is sent, all are checked.";
  return Object.fromEntries(
    SIGNATURE_HEADERS.map((header) => [
      parameterName(header.name, required),
      { name: header.name, in: "header", required, description: header.description + note, schema: header.schema, example: header.example },
    ]),
  );
}

export function signatureReferences(route: Route): readonly JsonObject[] {
  return SIGNATURE_HEADERS.map((header) => ({ $ref: `#/components/parameters/${parameterName(header.name, isSigned(route))}` }));
}

function parameterName(header: string, required: boolean): string {
  return `${required ? "Required" : "Optional"}${header.replace("X-Api-", "")}`;
}

const HEADERS: JsonObject = {
  RequestId: { description: "The service's id of this request. Quote it when you contact support.", schema: { type: "string" } },
  RetryAfter: {
    description: "Seconds to wait before the next call. On 503 always; on 429 for GET calls of accounts with callback version 3 only.",
    schema: { type: "string", pattern: "^[0-9]+$" },
  },
};

const text: JsonObject = { type: "string" };

const REFUSAL: JsonObject = {
  type: "object",
  description: "A refused request. Nothing was created.",
  required: ["status", "error", "code", "message"],
  properties: {
    status: { type: "string", const: "rejected" },
    error: { type: "string", description: "The reason as a machine-readable code." },
    code: { type: "integer", description: "The result code." },
    message: { type: "string", description: "The reason in words." },
    urid: { type: "string", description: "The client's reference, if the request has a valid one." },
    request_id: { type: "string", description: "The client's reference on the signed services." },
    order_id: { type: "string", description: "On a duplicate reference: the existing order." },
    complaint_ref: { type: "string", description: "On a 409 of POST /complaints: the existing complaint." },
    fields: { type: "object", description: "The invalid fields, each with the reason.", additionalProperties: text },
  },
};

const SIGNED_SERVICE_REFUSAL: JsonObject = {
  description: "A refusal by one of the signed services.",
  allOf: [
    { $ref: "#/components/schemas/Refusal" },
    {
      type: "object",
      required: ["ok", "order_id"],
      properties: {
        ok: { type: "boolean", const: false },
        order_id: { type: "string", description: "Empty, unless the reference has an order." },
      },
    },
  ],
};

const FAILED_TRANSACTION: JsonObject = {
  type: "object",
  description:
    "A new transaction refused because of the account or the service: nothing was created and nothing is charged. " +
    "On recharge, `ok` and `error` are present only if the account is refused or the service is outside its opening hours.",
  required: ["status", "code", "order_id", "urid", "operator_ref", "amount", "account", "balance", "message"],
  properties: {
    ok: { type: "boolean", const: false },
    status: { type: "string", const: "failed" },
    code: { type: "integer" },
    order_id: { type: "string", const: "" },
    urid: text,
    request_id: text,
    operator_ref: { type: "null" },
    amount: text,
    account: text,
    balance: { type: "null" },
    message: text,
    error: text,
  },
};

/** How to sign, in one sentence, for the document's introduction. */
export const SIGNING = HOW_TO_SIGN.replace("This call must be signed: send", "A signed call sends");
