import { originOf } from "../http-template/build-call.ts";
import { readDefinition } from "../http-template/definition.ts";
import type { DescribedProvider } from "./described-provider.ts";

/** An address that a provider's requests go to, and the field of its description that contains it. */
export type OriginPlace = { readonly path: string; readonly origin: string };

/** The origins that a provider's requests, and with them its secrets, are sent to. */
export function originsOf(described: Omit<DescribedProvider, "provider">): readonly string[] {
  return originPlaces(described).map(({ origin }) => origin);
}

export function originPlaces({ connector, settings }: Omit<DescribedProvider, "provider">): readonly OriginPlace[] {
  if (connector === "corprail") return [{ path: "base_url", origin: new URL(String(settings["base_url"])).origin }];
  const read = connector === "http-template" ? readDefinition(settings) : null;
  if (!read?.ok) return [];
  const { request, status } = read.definition;
  return [
    { path: "request.url", origin: originOf(request) },
    { path: "status.url", origin: originOf(status) },
  ];
}
