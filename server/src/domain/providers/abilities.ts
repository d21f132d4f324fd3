import { ANY, SIMULATOR } from "./routing.ts";
import type { ProviderRow } from "./store.ts";

type Described = Pick<ProviderRow, "provider" | "connector" | "settings">;

// They need more of a provider than transactions: billers, banks, trips, outlets. So far only the built-in simulator has that.
const WITH_QUERIES: ReadonlySet<string> = new Set(["bills", "transfers", "bus", "aeps"]);

/** Whether a provider, as it is described, can carry out a service for an operator; `*` asks for any of them. */
export function canServe(provider: Described, service: string, operator: string): boolean {
  return hasService(provider, service) && hasOperator(provider, operator);
}

/** What of these services the provider can do for the operator. */
export function servicesOf(provider: Described, services: readonly string[], operator: string): readonly string[] {
  return services.filter((service) => canServe(provider, service, operator));
}

export function isSimulated({ connector }: Pick<ProviderRow, "connector">): boolean {
  return connector === "simulator";
}

function hasService({ provider, connector }: Described, service: string): boolean {
  // Every connector can do one service at least.
  if (service === ANY) return true;
  if (connector === "corprail") return service === "recharge";
  return !WITH_QUERIES.has(service) || (connector === "simulator" && provider === SIMULATOR);
}

// Whoever lists operators has a code for those alone.
function hasOperator({ settings }: Described, operator: string): boolean {
  const codes = settings["operators"];
  if (typeof codes !== "object" || codes === null || Array.isArray(codes)) return true;
  return operator === ANY ? Object.keys(codes).length > 0 : Object.hasOwn(codes, operator);
}
