import type { Route } from "../../../domain/client-api/route.ts";
import { isSignedService } from "../../../domain/shared/service-definition.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { PREFIX } from "../route-table.ts";
import { componentsOf, SECURITY, SIGNING } from "./components.ts";
import { operationOf } from "./operation.ts";

const INTRODUCTION =
  "Every request carries the account's API token and comes from an address on its allowlist. " +
  "Amounts are strings. A reference (urid, request_id) belongs to one transaction forever. " +
  `Replies may gain fields within v1; none is removed or retyped. ` +
  `Any request can be refused with 408 (too slow), 431 (headers too large) or 417 (unsupported Expect header). ${SIGNING}`;

/** Generates the OpenAPI 3.1 document from the routes. Their order does not matter. */
export function openApiDocument(routes: readonly Route[]): JsonObject {
  return {
    openapi: "3.1.1",
    info: {
      title: "Corprail client API",
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
    security: SECURITY,
    tags: tagsOf(routes),
    paths: pathsOf(routes),
    components: componentsOf(routes),
  };
}

/** The text of the generated file. */
export function documentText(routes: readonly Route[]): string {
  return `${JSON.stringify(openApiDocument(routes), null, 2)}\n`;
}

const OPTIONAL = "Signing is optional.";
const REQUIRED = "Every request must be signed once the service is switched on for the account.";

function tagsOf(routes: readonly Route[]): readonly JsonObject[] {
  const names = [...new Set(routes.map((route) => route.service))].toSorted();
  return names.map((name) => ({ name, description: isSignedService(name) ? REQUIRED : OPTIONAL }));
}

function pathsOf(routes: readonly Route[]): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of routes.toSorted(byPathThenMethod)) {
    const path = PREFIX + route.path;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return paths;
}

// Compared by code unit, so that the file does not depend on the locale.
function byPathThenMethod(one: Route, other: Route): number {
  const [a, b] = [`${one.path} ${one.method}`, `${other.path} ${other.method}`];
  return a < b ? -1 : a > b ? 1 : 0;
}
