import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";
import { PREFIX } from "../route-table.ts";
import { describeRoutes } from "../routes.ts";
import { openApiDocument } from "./document.ts";
import { listOf, objectOf } from "./schemas.ts";

const ROUTES = describeRoutes();
const DOCUMENT = openApiDocument(ROUTES);
const checker = new Ajv2020({ strict: false, allErrors: true }).addSchema(DOCUMENT, "document");

/** Every object of the document with a schema and examples, by its JSON pointer. */
function placesIn(value: JsonValue, pointer = ""): readonly (readonly [string, JsonObject])[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value as JsonObject).flatMap(([name, part]) =>
    placesIn(part, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return "schema" in value && ("examples" in value || "example" in value) ? [[pointer, value as JsonObject], ...inside] : inside;
}

function examplesOf(place: JsonObject): readonly JsonValue[] {
  const named = Object.values(objectOf(place["examples"])).map((one) => objectOf(one)["value"] ?? null);
  return place["example"] === undefined ? named : [...named, place["example"]];
}

test("every example of the document fits its own schema", () => {
  const places = placesIn(DOCUMENT);
  expect(places.length).toBeGreaterThan(ROUTES.length);
  for (const [pointer, place] of places) {
    const fits = checker.compile({ $ref: `document#${encodeURI(pointer)}/schema` });
    for (const example of examplesOf(place)) {
      fits(example);
      expect(fits.errors, `${pointer}: ${JSON.stringify(example)}`).toBeNull();
    }
  }
});

test("every reply, every refusal, every body and every parameter has an example", () => {
  for (const [path, item] of Object.entries(objectOf(DOCUMENT["paths"])))
    for (const [method, operation] of Object.entries(objectOf(item))) {
      const { responses, requestBody, parameters } = objectOf(operation);
      const replies = Object.values(objectOf(responses)).map(followed);
      for (const one of [...replies, ...(requestBody === undefined ? [] : [objectOf(requestBody)])]) {
        const content = objectOf(objectOf(one["content"])["application/json"]);
        expect(examplesOf(content).length, `${method} ${path}`).toBeGreaterThan(0);
      }
      for (const one of listOf(parameters).map(followed)) expect(one["example"], `${method} ${path}`).toBeDefined();
    }
});

function followed(value: JsonValue): JsonObject {
  const reference = objectOf(value)["$ref"];
  if (typeof reference !== "string") return objectOf(value);
  return objectOf(
    reference
      .slice(2)
      .split("/")
      .reduce<JsonValue>((inside, name) => objectOf(inside)[name] ?? null, DOCUMENT),
  );
}

test("the request examples pass the routes' validation", () => {
  for (const route of ROUTES.filter((one) => one.method === "POST")) {
    const operation = objectOf(objectOf(objectOf(DOCUMENT["paths"])[PREFIX + route.path])["post"]);
    const content = objectOf(objectOf(objectOf(operation["requestBody"])["content"])["application/json"]);
    for (const example of examplesOf(content)) expect(route.input.safeParse(example).error, route.path).toBeUndefined();
  }
});

test("every transaction shows a successful, a pending, a failed and a refused reply", () => {
  for (const route of ROUTES.filter((one) => one.kind === "transaction")) {
    const operation = objectOf(objectOf(objectOf(DOCUMENT["paths"])[PREFIX + route.path])["post"]);
    const reply = objectOf(objectOf(objectOf(operation["responses"])["200"])["content"]);
    const shown = examplesOf(objectOf(reply["application/json"])).map((example) => objectOf(example)["status"]);
    expect(shown, route.path).toEqual(expect.arrayContaining(["SUCCESS", "pending", "FAILED", "failed"]));
  }
});
