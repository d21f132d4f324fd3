import { queryOptions } from "@tanstack/react-query";
import { get } from "../../ui/api.ts";

export type Service = {
  readonly service: string;
  readonly name: string;
  readonly signing: "optional" | "required";
  readonly enabled: boolean;
  readonly opens_at: string | null;
  readonly closes_at: string | null;
  readonly state: "open" | "closed" | "off" | "no_provider";
};

const REFRESH_MILLISECONDS = 30_000;

export const servicesQuery = queryOptions({
  queryKey: ["/services"],
  queryFn: ({ signal }) => get<{ readonly items: readonly Service[] }>("/services", { limit: 200 }, signal),
  select: ({ items }) => items,
  refetchInterval: REFRESH_MILLISECONDS,
});
