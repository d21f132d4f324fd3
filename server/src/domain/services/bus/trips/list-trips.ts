import { z } from "zod";
import { indiaDate, indiaMidnight } from "../../../../platform/core/india-time.ts";
import type { Account } from "../../../accounts/account.ts";
import { type Route, route } from "../../../client-api/route.ts";
import { invalidFields, type Refusal, refused } from "../../../shared/refusals.ts";
import { pageInput, pageOf } from "../../page.ts";
import { recordField } from "../../signed/fields.ts";
import type { ReadMerged } from "../../signed/merged-list.ts";
import { askBusProvider, readCities, tripProviders } from "../ask-provider.ts";
import { takenSeats } from "../blocks/taken-seats.ts";
import { type BusContext, SERVICE } from "../context.ts";
import type { City, Trip, TripQuery } from "../provider-service.ts";
import { tripFields, tripItem } from "../views.ts";

const LAST_DAY = 365;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

const input = z
  .object({
    ...pageInput,
    from: recordField,
    to: recordField,
    date: z.string().refine((text) => indiaMidnight(text) !== null, "must be a day YYYY-MM-DD"),
  })
  .refine((asked) => asked.from !== asked.to, { path: ["to"], error: "must be another city than from" });

export function listTrips(ctx: BusContext): Route {
  return route({
    method: "GET",
    path: "/bus/trips",
    service: SERVICE,
    kind: "plain",
    summary: "Lists the trips of a day between two cities that have not departed yet",
    input,
    reply: z.object({ ok: z.literal(true), items: z.array(tripItem), next: z.string().nullable() }),
    handle: async ({ account, input: asked }) => {
      const cities = await readCities(ctx, account);
      if (cities.kind === "refused") return cities;
      const against = refuseDay(asked.date, ctx.clock.now()) ?? refuseCities(cities, asked);
      if (against) return against;
      const found = await searchTrips(ctx, account, cities, asked);
      if (found.kind === "refused") return found;
      const trips = found.trips.filter((trip) => trip.departureAt > ctx.clock.now());
      const page = pageOf(trips, asked, (trip) => trip.tripId);
      if (page.kind === "refused") return page;
      const tripIds = page.items.map((trip) => trip.tripId);
      const taken = await takenSeats(ctx, found.provider, tripIds);
      const items = page.items.map((trip) => tripFields(trip, taken.get(trip.tripId) ?? new Set()));
      return { kind: "list", items, next: page.next };
    },
  });
}

function refuseDay(date: string, now: number): Refusal | null {
  if (date < indiaDate(now)) return invalidFields({ date: "is a day that has passed" });
  return date > indiaDate(now + LAST_DAY * DAY_MILLISECONDS) ? invalidFields({ date: "is more than a year ahead" }) : null;
}

/** Names the field that is not a known city. */
function refuseCities({ byId, isComplete }: ReadMerged<City>, asked: TripQuery): Refusal | null {
  const names = (["from", "to"] as const).filter((name) => !byId.has(asked[name]));
  if (names.length === 0) return null;
  if (!isComplete) return refused("busy", "The provider is not responding. Try again with the same details.");
  return invalidFields(Object.fromEntries(names.map((name) => [name, "is not a city_id of /bus/cities"])));
}

type FoundTrips = { readonly kind: "found"; readonly provider: string; readonly trips: readonly Trip[] };

/** Searches at the first provider that has both cities, and at the next one when it does not answer. */
async function searchTrips(ctx: BusContext, account: Account, cities: ReadMerged<City>, asked: TripQuery): Promise<FoundTrips | Refusal> {
  const has = (provider: string, cityId: string) => cities.byId.get(cityId)?.offers.some((one) => one.provider === provider);
  const providers = tripProviders(ctx, account).filter(({ provider }) => has(provider, asked.from) && has(provider, asked.to));
  let refusal: Refusal | null = null;
  for (const { provider, providerService } of providers) {
    const listed = await askBusProvider(ctx, () => providerService.listTrips(asked));
    if (listed.kind === "asked" && listed.value) return { kind: "found", provider, trips: listed.value };
    if (listed.kind === "refused") refusal = listed;
  }
  // Each city has a provider, but none runs buses between the two.
  return refusal ?? { kind: "found", provider: "", trips: [] };
}
