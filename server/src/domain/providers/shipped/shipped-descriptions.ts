import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { isQuery, isTransaction, missingOperations, REQUIRED_OPERATIONS } from "@corprail/connector";
import type { JsonObject } from "../../../platform/core/strict-json.ts";

// Descriptions of well-known providers, made from their public documentation. Each has a page in docs/providers.
const FOLDER = fileURLToPath(new URL("../../../../../connectors/shipped/", import.meta.url));
const SUFFIX = ".json";

export type ShippedDescription = {
  readonly name: string;
  /** The services that it can carry out. */
  readonly services: readonly string[];
  readonly definition: JsonObject;
};

export async function listShipped(): Promise<readonly ShippedDescription[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(SUFFIX)).sort();
  return await Promise.all(files.map((file) => readOne(file.slice(0, -SUFFIX.length))));
}

async function readOne(name: string): Promise<ShippedDescription> {
  const definition = JSON.parse(await readFile(`${FOLDER}${name}${SUFFIX}`, "utf8")) as JsonObject;
  // Only the names are read: checking whole descriptions would keep a service busy for seconds, and the tests check these.
  const operations = new Set(Object.keys(definition["operations"] ?? {}).filter((one) => isTransaction(one) || isQuery(one)));
  return {
    name,
    definition,
    services: Object.keys(REQUIRED_OPERATIONS).filter((service) => missingOperations(service, operations).length === 0),
  };
}
