import { REQUIRED_OPERATIONS } from "@corprail/connector";
import { operationsOf } from "../connector-setup.ts";
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
  const required = REQUIRED_OPERATIONS[service] ?? [];
  // Only the provider that is named simulator answers the queries of the signed services.
  if (connector === "simulator") return provider === SIMULATOR || required.length <= 1;
  const operations = operationsOf(connector, settings);
  return required.length > 0 && required.every((name) => operations.has(name));
}

/** A provider that lists operators has codes for those only. */
export function hasOperator({ settings }: Pick<Described, "settings">, operator: string): boolean {
  const codes = settings["operators"];
  if (typeof codes !== "object" || codes === null || Array.isArray(codes)) return true;
  return operator === ANY ? Object.keys(codes).length > 0 : Object.hasOwn(codes, operator);
}
