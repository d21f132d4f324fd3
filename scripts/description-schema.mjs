// `npm run description-schema`: writes the JSON Schema of provider descriptions, which editors use, from their definition.
// With --check it only compares.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { descriptionJsonSchema } from "../server/dist/domain/providers/description/json-schema.js";

const PATH = fileURLToPath(new URL("../contract/provider-description.schema.json", import.meta.url));
const text = `${JSON.stringify(descriptionJsonSchema(), null, 2)}\n`;

if (process.argv.includes("--check")) {
  if ((await readFile(PATH, "utf8").catch(() => "")) !== text) {
    console.error("contract/provider-description.schema.json does not match the definition. Run: npm run description-schema");
    process.exit(1);
  }
} else await writeFile(PATH, text);
