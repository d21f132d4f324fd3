// `npm run description-schema`: writes the JSON Schemas of provider descriptions and configuration files, which editors use,
// from their definitions. With --check it only compares.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { CONFIGURATION_KINDS } from "../../server/dist/domain/configuration/configuration.js";
import { fileJsonSchema } from "../../server/dist/domain/configuration/item-schemas.js";
import { descriptionJsonSchema } from "../../server/dist/domain/providers/description/json-schema.js";

const CONTRACT = new URL("../../contract/", import.meta.url);
const schemas = new Map([
  ["provider-description.schema.json", descriptionJsonSchema()],
  ...CONFIGURATION_KINDS.map((kind) => [`configuration/${kind.replaceAll("_", "-")}.schema.json`, fileJsonSchema(kind)]),
]);

for (const [path, schema] of schemas) {
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  const file = new URL(path, CONTRACT);
  if (!process.argv.includes("--check")) {
    await mkdir(new URL(".", file), { recursive: true });
    await writeFile(file, text);
  } else if ((await readFile(file, "utf8").catch(() => "")) !== text) {
    console.error(`contract/${path} does not match the definition. Run: npm run description-schema`);
    process.exit(1);
  }
}
