import { pathToFileURL } from "node:url";
import { type CheckedPlugin, checkPlugin } from "@corprail/connector/host";
import { findModule, PluginRefusal } from "./find-module.ts";

export type LoadedPlugin = { readonly entry: string; readonly file: string; readonly plugin: CheckedPlugin };
export type LoadPlugins =
  | { readonly ok: true; readonly plugins: readonly LoadedPlugin[] }
  | { readonly ok: false; readonly faults: readonly string[] };

/** Loads the plug-ins of CORPRAIL_CONNECTORS. Every entry that cannot be used is named. */
export async function loadPlugins(entries: readonly string[], from: string): Promise<LoadPlugins> {
  const found = await Promise.all(entries.map((entry) => loadPlugin(entry, from)));
  const plugins = found.filter((one) => typeof one !== "string");
  const faults = [...found.filter((one) => typeof one === "string"), ...sameNames(plugins)];
  return faults.length === 0 ? { ok: true, plugins } : { ok: false, faults };
}

export function refusalText(faults: readonly string[]): string {
  return ["The plug-ins in CORPRAIL_CONNECTORS cannot be used:", ...faults.map((fault) => `  ${fault}`)].join("\n");
}

async function loadPlugin(entry: string, from: string): Promise<LoadedPlugin | string> {
  try {
    const file = await findModule(entry, from);
    const checked = checkPlugin(await defaultExport(entry, file));
    if (checked.ok) return { entry, file, plugin: checked.plugin };
    return `${entry}: ${checked.faults.map(({ path, message }) => `${path === "" ? "its default export" : path} ${message}`).join("; ")}.`;
  } catch (error) {
    if (error instanceof PluginRefusal) return `${entry}: ${error.message}`;
    throw error;
  }
}

async function defaultExport(entry: string, file: string): Promise<unknown> {
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(file).href);
    return module.default;
  } catch (error) {
    if (isCode(error, "ERR_UNKNOWN_FILE_EXTENSION") && file.endsWith(".ts"))
      throw new PluginRefusal(`${entry} is TypeScript. Build it, and name the JavaScript file or the package.`);
    throw new PluginRefusal(`Its code failed while it was loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isCode(error: unknown, code: string): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === code;
}

function sameNames(plugins: readonly LoadedPlugin[]): readonly string[] {
  return plugins.flatMap(({ entry, plugin: { name } }, place) => {
    const first = plugins.findIndex((other) => other.plugin.name === name);
    return first === place ? [] : [`${plugins[first]?.entry} and ${entry} have the same name, ${name}.`];
  });
}
