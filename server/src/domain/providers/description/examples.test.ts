import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readDescription } from "./definition.ts";

const FOLDER = fileURLToPath(new URL("../../../../../docs/examples/providers/", import.meta.url));

test.each(readdirSync(FOLDER).filter((name) => name.endsWith(".json")))("the example %s has no fault", (name) => {
  expect(readDescription(JSON.parse(readFileSync(FOLDER + name, "utf8")))).toMatchObject({ ok: true });
});
