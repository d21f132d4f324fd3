import type { JsonValue } from "../../../platform/core/strict-json.ts";
import { redact } from "../../../platform/observability/redact.ts";
import type { ProviderMessage } from "../connector.ts";
import { parseAnswer } from "../http-template/read-json.ts";

const LONGEST = 1_000;
const HIDDEN = "[hidden]";
const SENSITIVE = ["key", "token", "secret", "sign", "hash", "auth", "pass", "pin", "otp", "aadhaar", "pan", "card"];

export type ExcerptRules = {
  /** Masks the provider's secrets. */
  readonly mask: (text: string) => string;
  /** The field that carries the key, if the description names one. It is hidden, because a wrong key may be nearly right. */
  readonly keyName: string | null;
};

/** Query and body of a message for staff, shortened and without anything that could be a key or an identity. */
export function callbackExcerpt(message: ProviderMessage, rules: ExcerptRules): string {
  const hides = (name: string) => name === rules.keyName || SENSITIVE.some((word) => name.toLowerCase().includes(word));
  const query = Object.entries(message.query).map(([name, value]) => `${name}=${hides(name) ? HIDDEN : value}`);
  const text = [query.join("&"), bodyText(message.body, hides)].filter((part) => part !== "").join("\n");
  const printable = rules.mask(redact(text)).replace(/[^\P{Cc}\n]/gu, " ");
  return printable.replace(/[0-9]{12,}/g, maskedDigits).slice(0, LONGEST);
}

/** Masks numbers as long as an account, card or Aadhaar number. */
function maskedDigits(digits: string): string {
  return `…${digits.slice(-4)}`;
}

function bodyText(body: string, hides: (name: string) => boolean): string {
  if (body === "") return "";
  const value = parseAnswer(Buffer.from(body));
  if (value !== null) return JSON.stringify(hidden(value, hides));
  if (!/^[^<\s]{1,200}=/.test(body)) return body.slice(0, 4 * LONGEST);
  const pairs = [...new URLSearchParams(body)].slice(0, 100);
  return pairs.map(([name, given]) => `${name}=${hides(name) ? HIDDEN : given}`).join("&");
}

function hidden(value: JsonValue, hides: (name: string) => boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => hidden(item, hides));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hides(name) ? HIDDEN : hidden(item, hides)]));
}
