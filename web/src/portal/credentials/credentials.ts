import { queryOptions } from "@tanstack/react-query";
import { get } from "../../ui/api.ts";

export type SigningSecret = {
  readonly credential_id: string;
  readonly created_at: string;
  /** When a replaced secret stops working; null for the current secret. */
  readonly expires_at: string | null;
  readonly calls_24h: number;
  readonly last_used_at: string | null;
};

export type Credentials = {
  readonly token: {
    readonly masked: string;
    readonly created_at: string;
    readonly last_used_at: string | null;
    readonly last_address: string | null;
  } | null;
  readonly signing_secrets: readonly SigningSecret[];
  readonly signing_required: boolean;
};

export const credentialsQuery = queryOptions({
  queryKey: ["/credentials"],
  queryFn: ({ signal }) => get<Credentials>("/credentials", {}, signal),
  refetchInterval: 10_000,
});
