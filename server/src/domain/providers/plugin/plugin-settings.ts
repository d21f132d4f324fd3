import type { OperationName } from "@corprail/connector";
import type { CheckedPlugin } from "@corprail/connector/host";
import { z } from "zod";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { type Fault, faultsOf, pathText } from "../settings/faults.ts";
import { loadedPlugin, loadedPluginNames } from "./loaded-plugins.ts";

/** A provider's settings with its plug-in: what the plug-in's schema made of them, and where its requests go. */
export type PluginSetup = {
  readonly plugin: CheckedPlugin;
  readonly settings: unknown;
  /** Null: the plug-in does not say. */
  readonly origins: readonly string[] | null;
};
export type ReadPluginSettings =
  | { readonly ok: true; readonly setup: PluginSetup }
  | { readonly ok: false; readonly faults: readonly Fault[] };

const shape = z.strictObject({ plugin: z.string(), settings: z.record(z.string(), z.json()).default({}) });
const origins = z.array(z.string().refine(isOrigin, "must be https://host or https://host:port, nothing after it")).max(20);

export function readPluginSettings(value: JsonObject): ReadPluginSettings {
  const read = shape.safeParse(value);
  if (!read.success) return { ok: false, faults: faultsOf(read.error) };
  const plugin = loadedPlugin(read.data.plugin);
  if (!plugin) return refused("plugin", notLoaded(read.data.plugin));
  const settings = parseSettings(plugin, read.data.settings);
  if (!settings.ok) return settings;
  const places = originsFrom(plugin, settings.value);
  return places.ok ? { ok: true, setup: { plugin, settings: settings.value, origins: places.value } } : places;
}

/** The operations of a provider's plug-in; none when it is not loaded here. */
export function pluginOperations(settings: JsonObject): ReadonlySet<OperationName> {
  return new Set(pluginOf(settings)?.operations ?? []);
}

export function pluginSecrets(settings: JsonObject): readonly string[] {
  return pluginOf(settings)?.secrets ?? [];
}

function pluginOf(settings: JsonObject): CheckedPlugin | null {
  return typeof settings["plugin"] === "string" ? loadedPlugin(settings["plugin"]) : null;
}

type Parsed<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly faults: readonly Fault[] };

function parseSettings(plugin: CheckedPlugin, value: unknown): Parsed<unknown> {
  try {
    const read = plugin.settings.safeParse(value);
    if (read.success) return { ok: true, value: read.data };
    const issues = read.error?.issues ?? [];
    return { ok: false, faults: issues.map(({ path, message }) => ({ path: pathText(["settings", ...path]), message })) };
  } catch {
    return refused("settings", `The plug-in ${plugin.name} could not check them.`);
  }
}

function originsFrom(plugin: CheckedPlugin, settings: unknown): Parsed<readonly string[] | null> {
  if (!plugin.origins) return { ok: true, value: null };
  try {
    const read = origins.safeParse(plugin.origins(settings));
    return read.success ? { ok: true, value: read.data } : refused("settings", `The origins of the plug-in ${plugin.name} are not valid.`);
  } catch {
    return refused("settings", `The plug-in ${plugin.name} could not say where its requests go.`);
  }
}

function refused(path: string, message: string): { readonly ok: false; readonly faults: readonly Fault[] } {
  return { ok: false, faults: [{ path, message }] };
}

function notLoaded(name: string): string {
  const known = loadedPluginNames();
  const loaded = known.length === 0 ? "No plug-in is loaded." : `Loaded plug-ins: ${known.join(", ")}.`;
  return `There is no plug-in ${JSON.stringify(name.slice(0, 40))}. ${loaded} CORPRAIL_CONNECTORS lists the plug-ins to load.`;
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\//.test(text) && new URL(text).origin === text;
}
