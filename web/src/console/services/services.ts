import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { get } from "../../ui/api.ts";

export type Service = Schemas["ServiceState"];

const REFRESH_MILLISECONDS = 30_000;

export const servicesQuery = queryOptions({
  queryKey: ["/services"],
  queryFn: ({ signal }) => get<{ readonly items: readonly Service[] }>("/services", { limit: 200 }, signal),
  select: ({ items }) => items,
  refetchInterval: REFRESH_MILLISECONDS,
});
