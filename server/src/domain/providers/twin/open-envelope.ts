import type { Description } from "../description/definition.ts";
import { decrypted } from "../description/read/decrypt.ts";
import type { Secrets } from "../description/request/scope.ts";
import type { Scope } from "../description/template/render.ts";
import type { Found } from "./match-template.ts";

/** The body inside an encrypted envelope whose values were found; null when nothing in it can be opened with these secrets. */
export function openEnvelope(definition: Description, found: Found, secrets: Secrets): string | null {
  const scope = keyScope(definition, found, secrets);
  for (const [name, made] of Object.entries(definition.computed)) {
    const ciphertext = found.get(`computed.${name}`);
    if (made.kind !== "aes" || made.text !== "{request.body}" || ciphertext === undefined) continue;
    const { cipher, key, key_format, iv_format } = made;
    const iv = made.iv === "random" ? "prefixed" : made.iv;
    const input = made.output === "hex" || made.output === "HEX" ? "hex" : "base64";
    const body = decrypted({ cipher, key, key_format, iv, iv_format, input }, ciphertext, scope);
    if (body !== null) return body;
  }
  return null;
}

/** What keys are made of. A key of one call that the provider would open with its private key is not among it. */
function keyScope({ amount, times, constants }: Description, found: Found, secrets: Secrets): Scope {
  const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = { secret: secrets, constant: constants };
  return {
    style: { amount, zone: times },
    get: (name) => {
      const point = name.indexOf(".");
      const group = point < 0 ? undefined : groups[name.slice(0, point)];
      return group?.[name.slice(point + 1)] ?? found.get(name);
    },
  };
}
