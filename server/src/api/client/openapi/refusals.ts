import { ACCOUNT_REASON_WORDS } from "../../../domain/accounts/account.ts";
import type { Route } from "../../../domain/client-api/route.ts";
import {
  busy,
  invalidFields,
  isOwnRefusal,
  REFUSAL_CODES,
  type Refusal,
  type RefusalName,
  refused,
} from "../../../domain/shared/refusals.ts";
import { isSignedService } from "../../../domain/shared/service-definition.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { HOW_TO_SIGN } from "../gate/signature.ts";
import { type Echo, refusalReply } from "../replies.ts";

// Describes refusals by generating them, so that status, format and example match replies.ts.

type Row = {
  readonly name: string;
  readonly summary: string;
  readonly on: (route: Route) => boolean;
  readonly example: Refusal;
};

const always = () => true;
const post = (route: Route) => route.method === "POST";
const transaction = (route: Route) => route.kind === "transaction";
const changing = (route: Route) => route.method === "POST" || isSigned(route);

const ROWS: readonly Row[] = [
  {
    name: "BadRequest",
    summary: "The request is malformed, or a field is invalid",
    on: always,
    example: invalidFields({ amount: "is required" }),
  },
  {
    name: "BadCredentials",
    summary: "The token is missing or invalid, or the signature is invalid",
    on: always,
    example: refused("invalid_signature", HOW_TO_SIGN),
  },
  {
    name: "InsufficientBalance",
    summary: "The balance is insufficient. Nothing was created and the reference stays free",
    on: transaction,
    example: refused("insufficient_balance", "The balance does not cover this amount."),
  },
  {
    name: "Forbidden",
    summary: "The source address is not allowed, the account is refused, or the service is not available",
    on: always,
    example: refused("kyc_not_verified", ACCOUNT_REASON_WORDS.kyc_not_verified),
  },
  {
    name: "NotFound",
    summary: "There is no such path or record",
    on: always,
    example: refused("not_found", "There is no such transaction."),
  },
  {
    name: "MethodNotAllowed",
    summary: "The path does not support this method. The Allow header lists the supported ones",
    on: always,
    example: refused("method_not_allowed", "This path only supports GET."),
  },
  {
    name: "Conflict",
    summary: "The reference belongs to another request, or the record's state does not allow the request",
    on: changing,
    example: refused("duplicate_reference", "This reference was used before, with other details.", {
      extra: { order_id: "01K9ZV6Q3M7T4X2B8C" },
    }),
  },
  {
    name: "BodyTooLarge",
    summary: "The body is too large",
    on: post,
    example: refused("body_too_large", "The body is larger than 64 KiB."),
  },
  {
    name: "UnsupportedMediaType",
    summary: "The body is not JSON in UTF-8, or it has a Content-Encoding",
    on: post,
    example: refused("invalid_request", "The body must be sent as Content-Type: application/json, in UTF-8.", { mediaType: true }),
  },
  {
    name: "Unprocessable",
    summary: "The request is well formed but cannot be carried out",
    on: changing,
    example: refused("amount_out_of_range", "The operator takes 10.0000 to 5000.0000."),
  },
  {
    name: "RateLimited",
    summary: "One of the account's limits per minute is exceeded. GET and money requests have separate limits",
    on: always,
    example: refused("rate_limited", "Over the account's GET calls a minute. Try again after a short pause."),
  },
  {
    name: "InternalError",
    summary: "An unexpected error. Look the transaction up by its reference before you try again",
    on: always,
    example: refused("internal_error", "An unexpected error occurred. Look the transaction up by its reference before you try again."),
  },
  {
    name: "Busy",
    summary: "The service is busy. Try again after the seconds in Retry-After with the same reference",
    on: always,
    example: busy("nothing created"),
  },
];

export const RECHARGE_ECHO: Echo = { reference: "INV-2024-00042", signedService: false };
export const SIGNED_ECHO: Echo = { ...RECHARGE_ECHO, signedService: true };

export function isSigned(route: Route): boolean {
  return isSignedService(route.service);
}

/** The refusals of an operation by HTTP status: shared ones by reference, the service's own in full. */
export function refusalReferences(route: Route): JsonObject {
  const rows = ROWS.filter((row) => row.on(route));
  const common = rows.map((row) => [String(statusOf(row.example)), { $ref: `#/components/responses/${nameFor(row, isSigned(route))}` }]);
  return { ...Object.fromEntries(common), ...ownResponses(route, rows) };
}

function ownResponses(route: Route, rows: readonly Row[]): JsonObject {
  const responses: Record<string, JsonObject> = {};
  for (const status of new Set(route.refusals?.map((name) => statusOf(exampleOf(name))))) {
    const row = rows.find((one) => statusOf(one.example) === status);
    const names = route.refusals?.filter((name) => statusOf(exampleOf(name)) === status && (!row || isOwnRefusal(name))) ?? [];
    if (names.length > 0) responses[String(status)] = ownResponse(route, status, names, row);
  }
  return responses;
}

function ownResponse(route: Route, status: number, names: readonly RefusalName[], row: Row | undefined): JsonObject {
  const shared = row && commonErrors(status).length > 0 ? [commonErrors(status)] : [];
  const errors = [...shared, ...names.map((name) => `\`${name}\` (${REFUSAL_CODES[name]})`)].join(", ");
  const examples = [...names.map(exampleOf), ...(row ? [row.example] : [])];
  const [plain, own] = [{ $ref: "#/components/schemas/Refusal" }, { $ref: "#/components/schemas/SignedServiceRefusal" }];
  const echo = isSigned(route) ? SIGNED_ECHO : RECHARGE_ECHO;
  return {
    description: `${summaryOf(status)}. \`error\` (\`code\`): ${errors}.`,
    headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" } },
    content: {
      "application/json": {
        schema: isSigned(route) ? { anyOf: [own, plain] } : plain,
        examples: Object.fromEntries(examples.map((one) => [one.error, { value: refusalReply(one, echo).body }])),
      },
    },
  };
}

function summaryOf(status: number): string {
  return ROWS.find((row) => statusOf(row.example) === status)?.summary ?? "The record is no longer available";
}

function exampleOf(name: RefusalName): Refusal {
  const words = name.replaceAll("_", " ");
  return refused(name, `${words.charAt(0).toUpperCase()}${words.slice(1)}.`);
}

/** Every refusal that one of the routes refers to, by name. */
export function refusalResponses(routes: readonly Route[]): JsonObject {
  const responses: Record<string, JsonObject> = {};
  for (const signed of [false, true]) {
    const group = routes.filter((route) => isSigned(route) === signed);
    for (const row of ROWS.filter((one) => group.some(one.on))) responses[nameFor(row, signed)] ??= responseOf(row, signed);
  }
  return responses;
}

function responseOf(row: Row, signed: boolean): JsonObject {
  const own = nameFor(row, signed) !== row.name;
  const { status, body } = refusalReply(row.example, own ? SIGNED_ECHO : RECHARGE_ECHO);
  const headers = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };
  return {
    description: `${row.summary}. \`error\` (\`code\`): ${commonErrors(status)}.`,
    headers: status === 429 || status === 503 ? { ...headers, "Retry-After": { $ref: "#/components/headers/RetryAfter" } } : headers,
    content: {
      "application/json": {
        schema: { $ref: `#/components/schemas/${own ? "SignedServiceRefusal" : "Refusal"}` },
        examples: { [row.example.error]: { value: body } },
      },
    },
  };
}

// A refusal that has `ok` on the signed services needs a separate response there.
function nameFor(row: Row, signed: boolean): string {
  const own = signed && "ok" in refusalReply(row.example, SIGNED_ECHO).body;
  return own ? `Signed${row.name}` : row.name;
}

/** The error codes of this status that all services share. */
function commonErrors(status: number): string {
  const names = (Object.keys(REFUSAL_CODES) as RefusalName[]).filter(
    (name) => !isOwnRefusal(name) && statusOf(refused(name, "")) === status,
  );
  const described = status === 415 ? (["invalid_request"] as const) : names;
  return described.map((name) => `\`${name}\` (${REFUSAL_CODES[name]})`).join(", ");
}

export function statusOf(refusal: Refusal): number {
  return refusalReply(refusal, RECHARGE_ECHO).status;
}

/** The statuses that the document describes. */
export function describedStatuses(): readonly number[] {
  return ROWS.map((row) => statusOf(row.example));
}
