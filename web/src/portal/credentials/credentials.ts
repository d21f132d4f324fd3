import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../portal-api.ts";
import { get } from "../api.ts";

export type SigningSecret = Schemas["SigningSecret"];
export type ApiToken = Schemas["ApiToken"];
export type Credentials = Schemas["Credentials"];

export const credentialsQuery = queryOptions({
  queryKey: ["/credentials"],
  queryFn: ({ signal }) => get("/credentials", {}, signal),
  refetchInterval: 10_000,
});
