import { z } from "zod";
import { type Route, route } from "../../../client-api/route.ts";
import { pageInput, pageOf } from "../../page.ts";
import { readCities } from "../ask-provider.ts";
import { type BusContext, SERVICE } from "../context.ts";

const cityItem = z.object({ city_id: z.string(), name: z.string(), state: z.string() });

export function listCities(ctx: BusContext): Route {
  return route({
    method: "GET",
    path: "/bus/cities",
    service: SERVICE,
    kind: "plain",
    summary: "Lists the cities between which buses run",
    input: z.object({ ...pageInput, search: z.string().max(60, "is too long").optional() }),
    reply: z.object({ ok: z.literal(true), items: z.array(cityItem), next: z.string().nullable() }),
    handle: async ({ account, input }) => {
      const read = await readCities(ctx, account);
      if (read.kind === "refused") return read;
      const wanted = (input.search ?? "").toLowerCase();
      const cities = read.items.filter((one) => [one.cityId, one.name].some((text) => text.toLowerCase().includes(wanted)));
      const page = pageOf(cities, input, (one) => one.cityId);
      if (page.kind === "refused") return page;
      const items = page.items.map((one) => ({ city_id: one.cityId, name: one.name, state: one.state }));
      return { kind: "list", items, next: page.next };
    },
  });
}
