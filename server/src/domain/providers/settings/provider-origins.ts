import { canonicalJson } from "../../../platform/core/canonical-json.ts";
import { readDescription } from "../description/definition.ts";
import { addressOf } from "../description/request/build-request.ts";
import { allPlans } from "../description/run/plan.ts";
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
  const read = connector === "description" ? readDescription(settings) : null;
  if (!read?.ok) return [];
  const { definition } = read;
  const login = definition.login === undefined ? [] : [{ path: "login.request.url", url: definition.login.request.url }];
  const calls = allPlans(definition).flatMap(({ plan }) =>
    plan.steps.map((step) => ({ path: `${step.place}.request.url`, url: step.request.url })),
  );
  const places = [...login, ...calls].map(({ path, url }) => ({
    path: url.startsWith("/") ? "base_url" : path,
    origin: addressOf(url, definition.base_url).origin,
  }));
  // Most requests go to one host, which is named once.
  return [...new Map(places.map((place) => [place.origin, place])).values()];
}
