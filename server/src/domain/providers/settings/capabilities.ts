import { missingOperations, REQUIRED_OPERATIONS } from "@corprail/connector";
import { operationsOf } from "../connector-setup.ts";
import { ANY, SIMULATOR } from "../routing/routing.ts";
import type { ProviderRow } from "../store.ts";
import { describedCodes } from "./described-codes.ts";

type Described = Pick<ProviderRow, "provider" | "connector" | "settings">;

/** Whether a provider's description covers a service for an operator; `*` means any. */
export function canServe(provider: Described, service: string, operator: string): boolean {
  return hasService(provider, service) && hasOperator(provider, service, operator);
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
  const isKnown = (REQUIRED_OPERATIONS[service] ?? []).length > 0;
  // Only the provider that is named simulator answers the queries of the signed services.
  if (connector === "simulator") return provider === SIMULATOR || service === "recharge" || !isKnown;
  return isKnown && missingOperations(service, operationsOf(connector, settings)).length === 0;
}

/** What the provider's description lacks for a service, in words; empty when nothing is missing or the service is not known. */
export function missingFor({ connector, settings }: Described, service: string): readonly string[] {
  return service === ANY ? [] : missingOperations(service, operationsOf(connector, settings));
}

// A provider that lists operators has codes for those only. Only recharges have operators of the catalogue.
export function hasOperator({ connector, settings }: Described, service: string, operator: string): boolean {
  const found = service === "recharge" || service === ANY ? describedCodes(connector, settings, "operators") : null;
  if (found === null || found.isOpen) return true;
  return operator === ANY ? Object.keys(found.codes).length > 0 : Object.hasOwn(found.codes, operator);
}
