import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../portal-api.ts";
import { get } from "./api.ts";

export type CallbackSettings = Schemas["CallbackSettings"];

export const callbackSettingsQuery = queryOptions({
  queryKey: ["/callback-settings"],
  queryFn: ({ signal }) => get("/callback-settings", {}, signal),
});
