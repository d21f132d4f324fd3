import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { splitPath } from "../../sites/actions/action.ts";
import type { Action } from "../action.ts";
import { heldOutput } from "../approvals/outputs.ts";
import { exampleOf } from "./example.ts";
import { collect, type NamedSchemas, operationOf, tagOf } from "./operation.ts";
import { REFUSAL_SCHEMA, refusalResponses } from "./refusals.ts";
import { describeSchema } from "./schemas.ts";

const PREFIX = "/api/operator/v1";

const INTRODUCTION =
  "What staff can do, for programs of the platform. Every request carries an operator key: `Authorization: Bearer opk_…`. " +
  "The console calls the same actions with the session of a staff member. Amounts are strings. " +
  "An action that needs a second person answers 202 with an approval, and runs when somebody else approves it.";

/** Generates the OpenAPI 3.1 document of the operator API from its actions. */
export function operatorDocument(actions: readonly Action[]): JsonObject {
  const named: NamedSchemas = new Map();
  const paths = pathsOf(actions, named);
  const responses = { ...refusalResponses(), Waiting: waitingResponse(named) };
  return {
    openapi: "3.1.1",
    info: {
      title: "Corprail operator API",
      version: "1",
      description: INTRODUCTION,
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [
      {
        url: "{base_url}",
        variables: { base_url: { default: "http://127.0.0.1:8080", description: "The address of the installation, without a path" } },
      },
    ],
    security: [{ operatorKey: [] }],
    tags: [...new Set(actions.map(tagOf))].toSorted().map((name) => ({ name, description: `Actions under /${name}` })),
    paths,
    components: {
      securitySchemes: { operatorKey: { type: "http", scheme: "bearer", description: "An operator key" } },
      responses,
      schemas: { ...Object.fromEntries([...named].toSorted(([one], [other]) => (one < other ? -1 : 1))), Refusal: REFUSAL_SCHEMA },
    },
  };
}

/** The text of the generated file. */
export function operatorDocumentText(actions: readonly Action[]): string {
  return `${JSON.stringify(operatorDocument(actions), null, 2)}\n`;
}

function pathsOf(actions: readonly Action[], named: NamedSchemas): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const action of actions.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))) {
    const { method, url } = splitPath(action);
    const path = PREFIX + url.replaceAll(/:([a-z_]+)/g, "{$1}");
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(action, named) };
  }
  return paths;
}

// By path, then by method; compared by code unit, so that the file does not depend on the locale.
function key({ path }: Action): string {
  return path.split(" ").reverse().join(" ");
}

/** The 202 of an action that waits for a second person. */
function waitingResponse(named: NamedSchemas): JsonObject {
  const schema = collect(describeSchema(heldOutput, "output"), named, "202");
  return {
    description: "It waits for a second person",
    content: { "application/json": { schema, example: exampleOf(schema, named, []) } },
  };
}
