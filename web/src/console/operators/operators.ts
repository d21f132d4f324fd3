import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { get } from "../api.ts";

export type Operator = Schemas["OperatorState"];

const REFRESH_MILLISECONDS = 10_000;

export const operatorsQuery = queryOptions({
  queryKey: ["/operators"],
  queryFn: ({ signal }) => get("/operators", { limit: "200" }, signal),
  select: ({ items }) => items,
  refetchInterval: REFRESH_MILLISECONDS,
});
