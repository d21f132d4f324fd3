import { parseStrictJson } from "../../../platform/core/strict-json.ts";
import type { Sealed } from "../../../platform/crypto/keyring.ts";
import type { Vault } from "../../../platform/crypto/vault.ts";
import { sealedTable } from "../../accounts/master-key/sealed-table.ts";
import type { Secrets } from "../description/request/scope.ts";

/** The encryption context that binds secrets to their provider. */
function context(provider: string): string {
  return `provider/${provider}`;
}

export function sealSecrets(vault: Vault, provider: string, secrets: Secrets): Sealed {
  return vault.keyring().seal(JSON.stringify(secrets), context(provider));
}

export async function unsealSecrets(vault: Vault, provider: string, sealed: Sealed | null): Promise<Secrets> {
  if (!sealed) return {};
  const parsed = parseStrictJson(Buffer.from(await vault.open(sealed, context(provider))));
  if (!parsed.ok) throw new Error(`The decrypted secrets of provider ${provider} are not valid.`);
  return Object.fromEntries(Object.entries(parsed.value).map(([name, value]) => [name, String(value)]));
}

/** The table of providers' secrets, for key rotation. */
export const PROVIDER_SECRETS = sealedTable({
  table: "providers",
  id: "provider",
  keyId: "secret_key_id",
  sealed: "secret",
  contextOf: context,
});
