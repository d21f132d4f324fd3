import { formatMoney } from "../../../platform/core/money.ts";
import type { Log } from "../../../platform/observability/log.ts";
import type { Account } from "../../accounts/account.ts";
import { readProviderRef } from "../../orders/attempts/store.ts";
import type { Order } from "../../orders/order.ts";
import { ANY } from "../../providers/routing/routing.ts";
import { FAILURE_SENTENCES } from "../../shared/failure.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { isSameName } from "../signed/merge-lists.ts";
import { type ReadMerged, readMerged } from "../signed/merged-list.ts";
import { type Asked, askProvider } from "../signed/provider-services.ts";
import { noProvider, refuseArranged } from "../signed/service-refusals.ts";
import type { Block } from "./blocks/blocks-store.ts";
import { readSeats } from "./bookings/tickets-store.ts";
import { atMostPaid, type Charged } from "./cancellations/charges.ts";
import { type BusContext, type CancelContext, SERVICE } from "./context.ts";
import type { BusProviderService, City, Trip } from "./provider-service.ts";

export type ChosenProvider = { readonly providerService: BusProviderService; readonly provider: string };

/** The cities of all providers that the account's trips can be searched at, each once. */
export function readCities(ctx: BusContext, account: Account): Promise<ReadMerged<City> | Refusal> {
  return readMerged(ctx, account, {
    service: SERVICE,
    services: ctx.providerServices.bus,
    read: (providerService) => providerService.listCities(),
    idOf: (city) => city.cityId,
    isUsable: () => true,
    // City ids may be a provider's own, and a passenger must not be taken to another city.
    isSame: (one, other) => isSameName(one.name, other.name),
  });
}

/** The providers that serve an account's trips, best first. Trips are searched before their bus operator is known. */
export function tripProviders(ctx: BusContext, { accountId: reference, sandbox }: Account): readonly ChosenProvider[] {
  return ctx.providerRegistry.providersFor({ service: SERVICE, operator: ANY, sandbox, reference }).flatMap((provider) => {
    const providerService = ctx.providerServices.bus(provider);
    return providerService ? [{ provider, providerService }] : [];
  });
}

/** The queries of the provider with which a block and its ticket were arranged. */
export function arrangedProvider(
  ctx: CancelContext,
  { accountId, provider }: { readonly accountId: string; readonly provider: string },
): { readonly kind: "found"; readonly providerService: BusProviderService } | Refusal {
  const against = refuseArranged(ctx, accountId, provider, "Bus booking");
  if (against) return against;
  const providerService = ctx.providerServices.bus(provider);
  return providerService
    ? { kind: "found", providerService }
    : refused("busy", "The provider is not responding. Try again with the same details.");
}

/** Queries a provider of this service. */
export function askBusProvider<Value>(ctx: { readonly log: Log }, ask: () => Promise<Value>): Promise<Asked<Value>> {
  return askProvider(ctx, SERVICE, ask);
}

/** Asks the provider for the refund of a cancellation. Null if it quotes none; then the trip's own charges apply. */
export async function askCancelQuote(
  ctx: CancelContext,
  { order, block }: { readonly order: Order; readonly block: Block },
  seats: readonly string[],
): Promise<({ readonly kind: "quoted" } & Charged) | Refusal | null> {
  const providerService = ctx.providerServices.bus(block.provider);
  if (!providerService) return null;
  const { orderId, operatorRef } = order;
  const { tripId, providerRef } = block;
  const ticketRef = await readProviderRef(ctx.sql, order);
  const ticket = { reference: orderId, orderId, tripId, providerRef, ticketRef, pnr: operatorRef ?? "", seats };
  const asked = await askBusProvider(ctx, () => providerService.cancelQuote(ticket));
  if (asked.kind === "refused") return asked;
  if (asked.value?.kind === "refused") return refused("not_cancellable", FAILURE_SENTENCES.cancellation_refused);
  if (asked.value === null) return null;
  const { refund, charges } = atMostPaid(asked.value, await readSeats(ctx.sql, block), seats);
  if (refund !== asked.value.refund)
    ctx.log.warn({ order: orderId, quoted: formatMoney(asked.value.refund) }, "bus provider would return more than was paid");
  return { kind: "quoted", refund, charges };
}

export type FoundTrip = ChosenProvider & { readonly kind: "trip"; readonly trip: Trip };

/** Finds a trip that has not departed yet. */
export async function findTrip(ctx: BusContext, account: Account, tripId: string): Promise<FoundTrip | Refusal> {
  const providers = tripProviders(ctx, account);
  if (providers.length === 0) return noProvider(ctx, SERVICE);
  for (const chosen of providers) {
    const asked = await askBusProvider(ctx, () => chosen.providerService.readTrip(tripId));
    if (asked.kind === "refused") return asked;
    // No two providers share a trip id, so only the one that listed the trip knows it.
    if (!asked.value) continue;
    if (asked.value.departureAt <= ctx.clock.now()) return refused("trip_not_found", "The bus of this trip has departed.");
    return { ...chosen, kind: "trip", trip: asked.value };
  }
  return refused("trip_not_found", "There is no such trip.");
}
