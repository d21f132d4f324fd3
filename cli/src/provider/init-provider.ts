import { writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { listShipped, type ShippedDescription } from "@corprail/server/domain/providers/shipped/shipped-descriptions";
import { done, errorText, failed, type Outcome } from "../shared/outcome.ts";
import type { ClientContext } from "../shared/run-command.ts";
import { shellWord } from "../shared/shell-words.ts";
import { table } from "../shared/table.ts";

const SCHEMA = pathToFileURL(fileURLToPath(new URL("../../../contract/provider-description.schema.json", import.meta.url))).href;

/** Writes one of the descriptions that come with Corprail to a file, to be saved as a provider. Without a name it lists them. */
export async function initProvider(_ctx: ClientContext, name: string | undefined, file: string | undefined): Promise<Outcome> {
  const all = await listShipped();
  if (name === undefined) return listed(all);
  const found = all.find((one) => one.name === name);
  if (!found) return failed(`There is no description of ${name}. There are: ${all.map((one) => one.name).join(", ")}.`);
  const path = file ?? `${name}.json`;
  const text = `${JSON.stringify({ ...found.definition, $schema: SCHEMA }, null, 2)}\n`;
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    return failed(isThere ? `${path} exists. Name another file.` : errorText(error));
  }
  const next = [
    "Next:",
    `  corprail provider test ${shellWord(path)}`,
    `  corprail provider save ${shellWord(path)}`,
    `docs/providers/${name}.md says what it needs.`,
  ];
  return { ...done(`The description of ${name} is in ${path}.`, { provider: name, file: path, services: found.services }), next };
}

function listed(all: readonly ShippedDescription[]): Outcome {
  // A description without a service lacks something that only the platform has; its page says what.
  const cells = all.map(({ name, services }) => [name, services.join(", ") || "to be completed", `docs/providers/${name}.md`]);
  const providers = all.map(({ name, services }) => ({ provider: name, services }));
  return done(`${all.length} descriptions come with Corprail.`, { providers }, table(["PROVIDER", "SERVICES", "PAGE"], cells));
}
