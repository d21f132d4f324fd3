import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { get } from "../api.ts";

export type Service = Schemas["ServiceState"];

const REFRESH_MILLISECONDS = 30_000;

export const servicesQuery = queryOptions({
  queryKey: ["/services"],
  queryFn: ({ signal }) => get("/services", { limit: "200" }, signal),
  select: ({ items }) => items,
  refetchInterval: REFRESH_MILLISECONDS,
});
