import { sealedTable } from "../../accounts/master-key/sealed-table.ts";

/** The table of providers' secrets, for key rotation. */
export const PROVIDER_SECRETS = sealedTable({
  table: "providers",
  id: "provider",
  keyId: "secret_key_id",
  sealed: "secret",
  contextOf: (provider) => `provider/${provider}`,
});
