import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** What is wrong with an entry of CORPRAIL_CONNECTORS, as a sentence. */
export class PluginRefusal extends Error {}

/** Whether an entry names a folder or file. Everything else is the name of a package. */
export function isPath(entry: string): boolean {
  return entry.startsWith(".") || entry.startsWith("/");
}

/** The file that an entry leads to. Packages are looked for in the node_modules folders of `from` and above. */
export async function findModule(entry: string, from: string): Promise<string> {
  const found = isPath(entry) ? resolve(from, entry) : await findPackage(entry, from);
  if (found === null)
    throw new PluginRefusal(`There is no package ${entry} in ${join(from, "node_modules")} or a folder above. Install it first.`);
  const kind = await kindOf(found);
  if (kind === null) throw new PluginRefusal(`There is no file or folder ${found}.`);
  return kind === "file" ? found : await mainFile(found);
}

async function findPackage(name: string, from: string): Promise<string | null> {
  const folder = join(from, "node_modules", name);
  if ((await kindOf(folder)) !== null) return folder;
  const above = dirname(from);
  return above === from ? null : await findPackage(name, above);
}

async function kindOf(path: string): Promise<"file" | "folder" | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  return found.isDirectory() ? "folder" : "file";
}

async function mainFile(folder: string): Promise<string> {
  const manifest = join(folder, "package.json");
  const text = await readFile(manifest, "utf8").catch(() => null);
  const main = text === null ? "index.js" : mainOf(manifest, text);
  const file = resolve(folder, main);
  if ((await kindOf(file)) === "file") return file;
  throw new PluginRefusal(`The plug-in in ${folder} has no file ${main}. Build it first, for example with: npm run build`);
}

function mainOf(path: string, text: string): string {
  try {
    const { exports: exported, main } = JSON.parse(text) as { readonly exports?: unknown; readonly main?: unknown };
    return exportedFile(exported) ?? (typeof main === "string" ? main : "index.js");
  } catch {
    throw new PluginRefusal(`${path} is not JSON.`);
  }
}

/** The file of a package's main export, for importing modules in Node. */
function exportedFile(exported: unknown): string | null {
  if (typeof exported === "string") return exported;
  if (typeof exported !== "object" || exported === null) return null;
  const conditions = exported as Readonly<Record<string, unknown>>;
  for (const name of [".", "node", "import", "default"]) {
    const file = exportedFile(conditions[name]);
    if (file !== null) return file;
  }
  return null;
}
