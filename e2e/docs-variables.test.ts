import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./harness/service.ts";

// What a client's programs read: the command, the SDK's pages and every example the same.
const CLIENT = ["CORPRAIL_BASE_URL", "CORPRAIL_TOKEN", "CORPRAIL_SIGNING_SECRET", "CORPRAIL_CALLBACK_SECRET", "CORPRAIL_PROFILE"];
const OTHERS_NAMES = /\b(?:API_TOKEN|CALLBACK_SECRET|SIGNING_SECRET|CORPRAIL_URL|CORPRAIL_API_TOKEN)\b/g;

async function textsIn(folder: string): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && !entry.parentPath.includes("node_modules") && !/\.(?:png|svg)$/.test(entry.name),
  );
  return await Promise.all(
    files.map(async (entry) => {
      const name = join(entry.parentPath, entry.name);
      return { name: name.slice(ROOT.length), text: await readFile(name, "utf8") };
    }),
  );
}

test("every variable that a page or an example names is one that something reads, under one name", async () => {
  const settings = ["config.ts", "production-rules.ts", "retention-settings.ts"].map((name) =>
    readFile(join(ROOT, "server/src/settings", name), "utf8"),
  );
  const known = new Set([...CLIENT, ...((await Promise.all(settings)).join("\n").match(/CORPRAIL_[A-Z_]*[A-Z]/g) ?? [])]);
  const alone = await Promise.all(
    ["README.md", "sdk/README.md"].map(async (name) => ({ name, text: await readFile(join(ROOT, name), "utf8") })),
  );
  const texts = [...alone, ...(await textsIn("docs")), ...(await textsIn("examples"))];
  const named = texts.flatMap(({ name, text }) => (text.match(/\bCORPRAIL_[A-Z_]*[A-Z]\b/g) ?? []).map((variable) => ({ name, variable })));
  expect(named.length).toBeGreaterThan(100);
  const isKnown = (variable: string) => known.has(variable) || variable.startsWith("CORPRAIL_PROVIDER");
  expect(named.filter(({ variable }) => !isKnown(variable))).toEqual([]);
  const strange = texts.flatMap(({ name, text }) => (text.match(OTHERS_NAMES) ?? []).map((variable) => ({ name, variable })));
  expect(strange).toEqual([]);
});
