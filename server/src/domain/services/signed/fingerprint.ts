import { createHash } from "node:crypto";
import { canonicalJson } from "../../../platform/core/canonical-json.ts";
import { formatMoney, parseMoney } from "../../../platform/core/money.ts";
import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";
import { withIdentities } from "../../orders/fingerprint.ts";
import type { SignedContext } from "./context.ts";

// Contract, section 2, "same details": fields that a retry may change.
const IGNORED_FIELDS: ReadonlySet<string> = new Set(["request_id", "otp", "pid", "aadhaar_enc", "auth_ref", "latitude", "longitude"]);

type Details = Readonly<Record<string, unknown>>;

/**
 * Equal for two requests with the same details: amounts are compared as money, absent and omitted fields are the same. The
 * details must contain no identity, such as a PAN: use `fingerprintWithIdentities`.
 */
export function fingerprintOf(details: Details): string {
  const counted = Object.entries(details).filter(([name, value]) => value !== undefined && !IGNORED_FIELDS.has(name));
  const text = Object.fromEntries(counted.map(([name, value]) => [name, name === "amount" ? amountText(value) : value])) as JsonObject;
  return createHash("sha256").update(canonicalJson(text)).digest("hex");
}

type Identified = { readonly accountId: string; readonly requestId: string; readonly details: Details; readonly identities: JsonValue };

/** The same for details beside which the request has identities. Compare it with `isSameFingerprint`. */
export function fingerprintWithIdentities({ vault }: Pick<SignedContext, "vault">, request: Identified): string {
  const { accountId, requestId, details, identities } = request;
  return withIdentities(fingerprintOf(details), vault.keyring(), `details/${accountId}/${requestId}/${canonicalJson(identities)}`);
}

function amountText(value: unknown): unknown {
  const amount = typeof value === "string" ? parseMoney(value) : null;
  return amount === null ? value : formatMoney(amount);
}
