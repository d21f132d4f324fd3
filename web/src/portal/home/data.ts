import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../portal-api.ts";
import { get } from "../api.ts";

export type Step = Schemas["ChecklistStep"];
export type Home = Schemas["Home"];
export type HomeCharts = Schemas["HomeCharts"];

export const homeQuery = queryOptions({
  queryKey: ["/home"],
  queryFn: ({ signal }) => get("/home", {}, signal),
  // Always read again, so that a completed checklist step shows immediately.
  staleTime: 0,
  refetchInterval: 15_000,
});

export const chartsQuery = queryOptions({
  queryKey: ["/home/charts"],
  queryFn: ({ signal }) => get("/home/charts", { hours: "24" }, signal),
  refetchInterval: 60_000,
});
