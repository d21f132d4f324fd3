import { ACCOUNT_REASON_WORDS } from "../../../domain/accounts/account.ts";
import type { Route } from "../../../domain/client-api/route.ts";
import { refused } from "../../../domain/shared/refusals.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { DEFAULT_BODY_LIMIT_BYTES } from "../gate/gate.ts";
import { DONE, failedReply } from "../replies.ts";
import { signatureReferences } from "./components.ts";
import { inputExamples, parameterExample, replyExamples } from "./examples.ts";
import { isSigned, RECHARGE_ECHO, refusalReferences, SIGNED_ECHO } from "./refusals.ts";
import { type Field, fieldsOf, inputSchema, objectOf, replySchema, withFields, withoutField } from "./schemas.ts";

const PARAMETER = /\{([a-z_]+)\}$/;
// Contract, section 5: the only request that answers a new record with 201. A retry gets 200.
const CREATING: ReadonlySet<string> = new Set(["POST /complaints"]);

/** Describes a route as an OpenAPI operation. */
export function operationOf(route: Route): JsonObject {
  try {
    const input = inputSchema(route.input);
    return {
      operationId: operationId(route),
      tags: [route.service],
      summary: route.summary,
      ...description(route),
      parameters: [...parametersOf(route, input), ...signatureReferences(route)],
      ...(route.method === "POST" ? { requestBody: bodyOf(route, input) } : {}),
      responses: { ...repliesOf(route), ...refusalReferences(route) },
    };
  } catch (error) {
    throw new Error(`${route.method} ${route.path} cannot be described: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** `GET /complaints/{ref}` is getComplaintsByRef. */
export function operationId(route: Route): string {
  const words = route.path
    .replace(/\{([a-z_]+)\}/, "by_$1")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
  return route.method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function description(route: Route): JsonObject {
  if (route.kind === "transaction")
    return {
      description:
        "A retry with the same reference and the same details returns the result of the first request. Nothing is charged twice.",
    };
  return route.kind === "lookup" && isSigned(route)
    ? { description: "Existing records can still be looked up while the service is switched off for the account." }
    : {};
}

function parametersOf(route: Route, input: JsonObject): readonly JsonObject[] {
  const inPath = PARAMETER.exec(route.path)?.[1];
  const fields = fieldsOf(input);
  const path = inPath === undefined ? [] : [parameter(route, "path", { ...named(fields, inPath), required: true })];
  const query =
    route.method === "GET" ? fields.filter((field) => field.name !== inPath).map((field) => parameter(route, "query", field)) : [];
  return [...path, ...query];
}

function named(fields: readonly Field[], name: string): Field {
  return fields.find((field) => field.name === name) ?? { name, schema: { type: "string" }, required: true };
}

function parameter(route: Route, place: "path" | "query", field: Field): JsonObject {
  const { description: words, ...schema } = field.schema;
  return {
    name: field.name,
    in: place,
    required: field.required,
    ...(words === undefined ? {} : { description: words }),
    schema,
    example: parameterExample(route, field.name, schema),
  };
}

function bodyOf(route: Route, input: JsonObject): JsonObject {
  const inPath = PARAMETER.exec(route.path)?.[1];
  const kibibytes = (route.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES) / 1024;
  const schema = inPath === undefined ? input : withoutField(input, inPath);
  return {
    required: true,
    description: `At most ${kibibytes} KiB. Unknown fields are ignored.`,
    content: { "application/json": { schema, examples: inputExamples(route, schema) } },
  };
}

function repliesOf(route: Route): JsonObject {
  const schema = withCommonFields(route, replySchema(route.reply));
  if (route.kind === "transaction")
    return { "200": reply("The transaction's result, or why no transaction was created", transactionContent(route, schema)) };
  const content = { schema, examples: replyExamples(route, schema) };
  return CREATING.has(`${route.method} ${route.path}`)
    ? { "200": reply("The record created by an earlier request with this reference", content), "201": reply("The new record", content) }
    : { "200": reply("As asked", content) };
}

// Contract, section 6: records of the signed services have these fields too; lists do not.
function withCommonFields(route: Route, schema: JsonObject): JsonObject {
  const isRecord = objectOf(schema["properties"])["ok"] !== undefined && objectOf(schema["properties"])["next"] === undefined;
  if (!isSigned(route) || !isRecord) return schema;
  const common = Object.entries({ ...DONE, service: route.service }).map(([name, value]) => [name, commonField(name, value)]);
  return withFields(schema, Object.fromEntries(common));
}

function commonField(name: string, value: string | number | boolean): JsonObject {
  const type = typeof value === "number" ? "integer" : typeof value;
  return name === "message" ? { type } : { type, const: value };
}

function transactionContent(route: Route, schema: JsonObject): JsonObject {
  const sent = { amount: "199.00", account: "9876543210" };
  const account = refused("kyc_not_verified", ACCOUNT_REASON_WORDS.kyc_not_verified);
  const failed = failedReply(account, isSigned(route) ? SIGNED_ECHO : RECHARGE_ECHO, sent);
  const ordinary = failedReply(refused("operator_off", "The operator is switched off."), RECHARGE_ECHO, sent, true);
  return {
    schema: { anyOf: [schema, { $ref: "#/components/schemas/FailedTransaction" }] },
    examples: {
      ...replyExamples(route, schema),
      refused: { summary: "Refused because of the account: nothing was created", value: failed.body },
      ...(isSigned(route)
        ? {}
        : { switched_off: { summary: "Refused because of the operator: nothing was created", value: ordinary.body } }),
    },
  };
}

function reply(words: string, content: JsonObject): JsonObject {
  return {
    description: words,
    headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" } },
    content: { "application/json": content },
  };
}
