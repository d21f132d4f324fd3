import { redact } from "../../../platform/observability/redact.ts";
import type { ProviderMessage } from "../connector.ts";
import { maskBody, maskForm } from "../masking/mask-body.ts";

const LONGEST = 1_000;
// More than is shown, so that nothing is masked only because it was cut off.
const LONGEST_READ = 8_000;

export type ExcerptRules = {
  /** Masks the provider's secrets. */
  readonly mask: (text: string) => string;
  /** The field that carries the key, if the description names one. It is hidden, because a wrong key may be nearly right. */
  readonly keyName: string | null;
};

/** Query and body of a message for staff, shortened and without anything that could be a key or an identity. */
export function callbackExcerpt(message: ProviderMessage, { mask, keyName }: ExcerptRules): string {
  const rules = { secrets: (text: string) => mask(redact(text)), readable: [], hiddenName: keyName };
  const query = Object.entries(message.query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const parts = [readableForm(maskForm(query.join("&"), rules)), maskBody(message.body.slice(0, LONGEST_READ), rules)];
  const text = parts.filter((part) => part !== "").join("\n");
  return text.replace(/[^\P{Cc}\n]/gu, " ").slice(0, LONGEST);
}

function readableForm(form: string): string {
  try {
    return decodeURIComponent(form);
  } catch {
    return form;
  }
}
