import { sealedTable } from "../accounts/sealed-table.ts";

/** Providers' secrets. */
export const PROVIDER_SECRETS = sealedTable({
  table: "providers",
  id: "provider",
  keyId: "secret_key_id",
  sealed: "secret",
  contextOf: (provider) => `provider/${provider}`,
});
