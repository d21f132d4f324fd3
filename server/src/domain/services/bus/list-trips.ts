import { z } from "zod";
import { indiaDate, indiaMidnight } from "../../../platform/core/india-time.ts";
import { type Route, route } from "../../client-api/route.ts";
import { invalidFields, type Refusal } from "../../shared/refusals.ts";
import { pageInput, pageOf } from "../page.ts";
import { recordField } from "../signed/fields.ts";
import { askBusProvider, chooseProvider } from "./ask-provider.ts";
import { type BusContext, SERVICE } from "./context.ts";
import type { City, TripQuery } from "./provider-service.ts";
import { findTaken } from "./seats-store.ts";
import { tripFields, tripItem } from "./views.ts";

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
    summary: "The trips of a day between two cities that have not left yet",
    input,
    reply: z.object({ ok: z.literal(true), items: z.array(tripItem), next: z.string().nullable() }),
    handle: async ({ account, input: asked }) => {
      const chosen = chooseProvider(ctx, account);
      if (chosen.kind === "refused") return chosen;
      const wrongDay = refuseDay(asked.date, ctx.clock.now());
      if (wrongDay) return wrongDay;
      const listed = await askBusProvider(ctx, () => chosen.providerService.listTrips(asked));
      if (listed.kind === "refused") return listed;
      if (!listed.value) return await refuseCities(ctx, () => chosen.providerService.listCities(), asked);
      const trips = listed.value.filter((trip) => trip.departureAt > ctx.clock.now());
      const page = pageOf(trips, asked, (trip) => trip.tripId);
      if (page.kind === "refused") return page;
      const tripIds = page.items.map((trip) => trip.tripId);
      const taken = await findTaken(ctx.sql, chosen.provider, tripIds, ctx.clock.now());
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
async function refuseCities(ctx: BusContext, listed: () => Promise<readonly City[]>, asked: TripQuery): Promise<Refusal> {
  const cities = await askBusProvider(ctx, listed);
  if (cities.kind === "refused") return cities;
  const names = (["from", "to"] as const).filter((name) => !cities.value.some((one) => one.cityId === asked[name]));
  return invalidFields(Object.fromEntries(names.map((name) => [name, "is not a city_id of /bus/cities"])));
}
