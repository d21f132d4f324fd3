import type { z } from "zod";
import { ACCOUNT_MODES } from "../../../domain/accounts/account-mode.ts";
import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";
import { listOf, objectOf } from "../../client/openapi/schemas.ts";
import { splitPath } from "../../sites/actions/action.ts";
import type { Action } from "../action.ts";
import { exampleOf } from "./example.ts";
import { refusalReferences } from "./refusals.ts";
import { type Described, describeSchema } from "./schemas.ts";

/** Collects the named schemas of the document. A name stands for one schema. */
export type NamedSchemas = Map<string, JsonObject>;

/** Every call takes it: see account-mode.ts. */
const MODE: JsonObject = {
  name: "mode",
  in: "query",
  required: false,
  description:
    "Only live accounts, or only sandbox accounts (test). Lists and counts leave the others out; a call about an account of the other mode is refused with 409. Without it, an operator key reaches all accounts.",
  schema: { type: "string", enum: [...ACCOUNT_MODES] },
  example: "live",
};

/** Describes an action as an OpenAPI operation. */
export function operationOf(action: Action, named: NamedSchemas): JsonObject {
  const { method, url } = splitPath(action);
  const add = (schema: z.ZodType, io: "input" | "output") => collect(describeSchema(schema, io), named, action.path);
  const body = "body" in action && action.body ? add(action.body, "input") : null;
  return {
    operationId: operationId(action),
    tags: [tagOf(action)],
    summary: action.summary.replace(/\.$/, ""),
    description: whoMay(action),
    parameters: [
      ...(action.params ? parametersOf("path", add(action.params, "input"), named) : []),
      ...(action.query ? parametersOf("query", add(action.query, "input"), named) : []),
      MODE,
    ],
    ...requestBody(action, body, named),
    responses: {
      ...repliesOf(action, add, named),
      ...refusalReferences({ method, hasParams: url.includes(":"), isStream: !("output" in action) }),
    },
  };
}

function requestBody(action: Action, body: JsonObject | null, named: NamedSchemas): JsonObject {
  if (body !== null) return { requestBody: { required: true, content: jsonContent(body, named) } };
  if (!("upload" in action) || action.upload === undefined) return {};
  return { requestBody: { required: true, content: { [action.upload]: { schema: { type: "string", description: "The file" } } } } };
}

/** `POST /orders/:order_id/settle` is postOrdersByOrderIdSettle. */
export function operationId(action: Pick<Action, "path">): string {
  const { method, url } = splitPath(action);
  const words = url.replaceAll(/:([a-z_]+)/g, "by_$1").split(/[^A-Za-z0-9]+/);
  const named = words.filter((word) => word !== "").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return method.toLowerCase() + named.join("");
}

/** The first part of the path. */
export function tagOf({ path }: Pick<Action, "path">): string {
  return path.split("/")[1]?.split(" ")[0] ?? "";
}

function isHeldEver(action: Action): boolean {
  return "approval" in action && action.approval !== undefined;
}

function whoMay(action: Action): string {
  const proof = action.proof === "recent" ? " They must have confirmed their identity within the last five minutes." : "";
  const approval = isHeldEver(action) ? " While approvals are on, it may wait for a second person: 202 with the approval." : "";
  return `An operator key without a role may call it. Roles of keys and staff: ${action.roles.join(", ")}.${proof}${approval}`;
}

export function collect({ schema, named }: Described, all: NamedSchemas, path: string): JsonObject {
  for (const [name, one] of Object.entries(named)) {
    const known = all.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(one))
      throw new Error(`${path}: two different schemas have the id ${name}.`);
    all.set(name, one);
  }
  return schema;
}

function parametersOf(place: "path" | "query", schema: JsonObject, named: NamedSchemas): readonly JsonObject[] {
  const required = listOf(schema["required"]);
  return Object.entries(objectOf(schema["properties"])).map(([name, property]) => {
    const { description, ...own } = objectOf(property);
    return {
      name,
      in: place,
      required: place === "path" || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: own,
      example: exampleOf(own, named, [name]),
    };
  });
}

function repliesOf(action: Action, add: (schema: z.ZodType, io: "output") => JsonObject, named: NamedSchemas): JsonObject {
  if (!("output" in action)) return { 200: { description: "Done", content: { [action.mediaType]: { schema: { type: "string" } } } } };
  const reply = { description: "Done", content: jsonContent(add(action.output, "output"), named) };
  return {
    [action.status ?? 200]: reply,
    ...(isHeldEver(action) ? { 202: { $ref: "#/components/responses/Waiting" } } : {}),
  };
}

function jsonContent(schema: JsonObject, named: NamedSchemas): JsonObject {
  return { "application/json": { schema, example: exampleOf(schema, named, []) as JsonValue } };
}
