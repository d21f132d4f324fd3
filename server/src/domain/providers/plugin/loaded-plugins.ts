import type { CheckedPlugin } from "@corprail/connector/host";

let loaded: ReadonlyMap<string, CheckedPlugin> = new Map();

/** Makes these the plug-ins of this process. They are code, loaded once at the start, so they belong to the process. */
export function usePlugins(plugins: readonly CheckedPlugin[]): void {
  loaded = new Map(plugins.map((plugin) => [plugin.name, plugin]));
}

export function loadedPlugin(name: string): CheckedPlugin | null {
  return loaded.get(name) ?? null;
}

export function loadedPluginNames(): readonly string[] {
  return [...loaded.keys()].sort();
}
