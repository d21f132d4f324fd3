import { parseStrictJson } from "../../platform/core/strict-json.ts";
import type { Sealed } from "../../platform/crypto/keyring.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Secrets } from "./http-template/build-call.ts";

/** The row that a provider's secrets are sealed for. */
function context(provider: string): string {
  return `provider/${provider}`;
}

export function sealSecrets(vault: Vault, provider: string, secrets: Secrets): Sealed {
  return vault.keyring().seal(JSON.stringify(secrets), context(provider));
}

export async function unsealSecrets(vault: Vault, provider: string, sealed: Sealed | null): Promise<Secrets> {
  if (!sealed) return {};
  const parsed = parseStrictJson(Buffer.from(await vault.open(sealed, context(provider))));
  if (!parsed.ok) throw new Error(`The sealed secrets of provider ${provider} cannot be read.`);
  return Object.fromEntries(Object.entries(parsed.value).map(([name, value]) => [name, String(value)]));
}
