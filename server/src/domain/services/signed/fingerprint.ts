import { createHash } from "node:crypto";
import { canonicalJson } from "../../../platform/core/canonical-json.ts";
import { formatMoney, parseMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";

// Contract, section 2, "same details": fields that a retry may change.
const IGNORED_FIELDS: ReadonlySet<string> = new Set(["request_id", "otp", "pid", "aadhaar_enc", "auth_ref", "latitude", "longitude"]);

/** Equal for two requests with the same details: amounts are compared as money, absent and omitted fields are the same. */
export function fingerprintOf(input: Readonly<Record<string, unknown>>): string {
  const counted = Object.entries(input).filter(([name, value]) => value !== undefined && !IGNORED_FIELDS.has(name));
  const details = Object.fromEntries(counted.map(([name, value]) => [name, name === "amount" ? amountText(value) : value])) as JsonObject;
  return createHash("sha256").update(canonicalJson(details)).digest("hex");
}

function amountText(value: unknown): unknown {
  const amount = typeof value === "string" ? parseMoney(value) : null;
  return amount === null ? value : formatMoney(amount);
}
