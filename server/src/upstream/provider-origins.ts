import type { DescribedProvider } from "./described-provider.ts";
import { originOf } from "./http-template/build-call.ts";
import { readDefinition } from "./http-template/definition.ts";

/** Where a provider's requests go, and with them its secrets: scheme, host and port. */
export function originsOf({ connector, settings }: Omit<DescribedProvider, "provider">): readonly string[] {
  if (connector === "corprail") return [new URL(String(settings["base_url"])).origin];
  const read = connector === "http-template" ? readDefinition(settings) : null;
  return read?.ok ? [originOf(read.definition.request), originOf(read.definition.status)] : [];
}
