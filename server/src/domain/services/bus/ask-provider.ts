import type { Log } from "../../../platform/observability/log.ts";
import type { Account } from "../../accounts/account.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { type Asked, askProvider, chooseProviderService } from "../signed/provider-services.ts";
import { refuseArranged } from "../signed/refuse-shut.ts";
import { type BusContext, type CancelContext, SERVICE } from "./context.ts";
import type { BusProviderService, Trip } from "./provider-service.ts";

export type ChosenProvider = { readonly providerService: BusProviderService; readonly provider: string };

// A trip is asked for before it is known who runs it, and always of the same provider: its ids are that provider's.
const ANY_OPERATOR = "*";

/** The provider service of the provider that an account's trips come from. */
export function chooseProvider(ctx: BusContext, account: Account): ({ readonly kind: "found" } & ChosenProvider) | Refusal {
  const reference = account.accountId;
  return chooseProviderService(ctx, ctx.providerServices.bus, { service: SERVICE, operator: ANY_OPERATOR, account, reference });
}

/** The provider service that a block, and the ticket made of it, was arranged at. */
export function arrangedProvider(
  ctx: CancelContext,
  { accountId, provider }: { readonly accountId: string; readonly provider: string },
): { readonly kind: "found"; readonly providerService: BusProviderService } | Refusal {
  const against = refuseArranged(ctx, accountId, provider, "Bus booking");
  if (against) return against;
  const providerService = ctx.providerServices.bus[provider];
  return providerService
    ? { kind: "found", providerService }
    : refused("busy", "The provider does not answer at the moment: try again with the same details.");
}

/** A question to a provider of this service. */
export function askBusProvider<Value>(ctx: { readonly log: Log }, ask: () => Promise<Value>): Promise<Asked<Value>> {
  return askProvider(ctx, SERVICE, ask);
}

export type FoundTrip = ChosenProvider & { readonly kind: "trip"; readonly trip: Trip };

/** A trip that has not left yet. */
export async function findTrip(ctx: BusContext, account: Account, tripId: string): Promise<FoundTrip | Refusal> {
  const chosen = chooseProvider(ctx, account);
  if (chosen.kind === "refused") return chosen;
  const asked = await askBusProvider(ctx, () => chosen.providerService.readTrip(tripId));
  if (asked.kind === "refused") return asked;
  if (!asked.value) return refused("trip_not_found", "There is no such trip.");
  if (asked.value.departureAt <= ctx.clock.now()) return refused("trip_not_found", "The bus of this trip has departed.");
  return { ...chosen, kind: "trip", trip: asked.value };
}
