import { queryOptions } from "@tanstack/react-query";
import { get } from "../ui/api.ts";
import type { Sent } from "./receiver-response.ts";

export type CallbackSettings = {
  readonly callback_url: string | null;
  readonly complaint_callback_url: string | null;
  readonly version: 2 | 3;
  readonly callback_secret_set: boolean;
  readonly callback_secret_created_at: string | null;
  /** The last signed version 3 test. `holds` is true while the URL and the secret have not changed since. */
  readonly v3_test: (Sent & { readonly at: string; readonly holds: boolean }) | null;
  readonly can_switch: boolean;
};

export const callbackSettingsQuery = queryOptions({
  queryKey: ["/callback-settings"],
  queryFn: ({ signal }) => get<CallbackSettings>("/callback-settings", {}, signal),
});
