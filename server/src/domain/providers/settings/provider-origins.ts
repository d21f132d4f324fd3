import { canonicalJson } from "../../../platform/core/canonical-json.ts";
import { originOf } from "../http-template/build-call.ts";
import { readDefinition } from "../http-template/definition.ts";
import { readPluginSettings } from "../plugin/plugin-settings.ts";
import type { DescribedProvider } from "./described-provider.ts";

/** An address that a provider's requests go to, and the field of its description that contains it. */
export type OriginPlace = { readonly path: string; readonly origin: string };

/** The origins that a provider's requests, and with them its secrets, are sent to. */
export function originsOf(described: Omit<DescribedProvider, "provider">): readonly string[] {
  const read = described.connector === "plugin" ? readPluginSettings(described.settings) : null;
  // A plug-in that does not say where its requests go may send them anywhere after any change of its settings.
  if (read?.ok && read.setup.origins === null) return [`plugin:${canonicalJson(described.settings)}`];
  return originPlaces(described).map(({ origin }) => origin);
}

export function originPlaces({ connector, settings }: Omit<DescribedProvider, "provider">): readonly OriginPlace[] {
  if (connector === "corprail") return [{ path: "base_url", origin: new URL(String(settings["base_url"])).origin }];
  if (connector === "plugin") {
    const plugin = readPluginSettings(settings);
    return plugin.ok ? (plugin.setup.origins ?? []).map((origin) => ({ path: "settings", origin })) : [];
  }
  const read = connector === "http-template" ? readDefinition(settings) : null;
  if (!read?.ok) return [];
  const { request, status } = read.definition;
  return [
    { path: "request.url", origin: originOf(request) },
    { path: "status.url", origin: originOf(status) },
  ];
}
