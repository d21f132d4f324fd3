import { REQUIRED_OPERATIONS } from "@corprail/connector";
import { serviceDefinition } from "../../shared/service-definition.ts";
import { pluginOperations } from "../plugin/plugin-settings.ts";
import { ANY, SIMULATOR } from "../routing/routing.ts";
import type { ProviderRow } from "../store.ts";

type Described = Pick<ProviderRow, "provider" | "connector" | "settings">;

/** Whether a provider's description covers a service for an operator; `*` means any. */
export function canServe(provider: Described, service: string, operator: string): boolean {
  return hasService(provider, service) && hasOperator(provider, operator);
}

/** The given services that the provider can carry out for the operator. */
export function servicesOf(provider: Described, services: readonly string[], operator: string): readonly string[] {
  return services.filter((service) => canServe(provider, service, operator));
}

export function isSimulated({ connector }: Pick<ProviderRow, "connector">): boolean {
  return connector === "simulator";
}

function hasService({ provider, connector, settings }: Described, service: string): boolean {
  // Every connector can carry out at least one service.
  if (service === ANY) return true;
  if (connector === "plugin") {
    const operations = pluginOperations(settings);
    return (REQUIRED_OPERATIONS[service] ?? []).every((name) => operations.has(name));
  }
  if (connector === "corprail") return service === "recharge";
  // Only the built-in simulator answers queries so far.
  return !serviceDefinition(service).needsProviderQueries || (connector === "simulator" && provider === SIMULATOR);
}

// A provider that lists operators has codes for those only.
function hasOperator({ settings }: Described, operator: string): boolean {
  const codes = settings["operators"];
  if (typeof codes !== "object" || codes === null || Array.isArray(codes)) return true;
  return operator === ANY ? Object.keys(codes).length > 0 : Object.hasOwn(codes, operator);
}
