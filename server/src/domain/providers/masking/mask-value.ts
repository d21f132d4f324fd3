import { loginTreatment, type Treatment, treatmentOf } from "./field-names.ts";
import { HIDDEN } from "./mask-secrets.ts";

export type MaskRules = {
  /** Masks the provider's secrets. */
  readonly secrets: (text: string) => string;
  /** Texts that stay readable although they look like something personal: our own references and amounts, a mobile number. */
  readonly readable: readonly string[];
  /** A further field to hide, such as the one that carries a callback's key. */
  readonly hiddenName?: string | null;
  /** Whether a field named as an account holds a bank account, whose number can look like a mobile number. */
  readonly hasBankAccounts?: boolean;
  /** For the answer of a login: the names of the fields that carry its token. */
  readonly tokenNames?: readonly string[];
  /** What is written instead of a hidden or a shortened value: marks by default, values of the same form in a recording. */
  readonly standIns?: StandIns;
};

export type StandIns = { readonly hidden: (value: string) => string; readonly shortened: (value: string) => string };

const MARKS: StandIns = { hidden: () => HIDDEN, shortened: (value) => `…${value.slice(-4)}` };

const PID = /(?:<|&lt;)\s*(?:\w+:)?pid(?:data|block)?\b[\s\S]*?(?:(?:<|&lt;)\/\s*(?:\w+:)?pid(?:data|block)?\s*(?:>|&gt;)|$)/gi;
const BLOB = /(?:[A-Za-z0-9+/_-]{40,100}\r?\n){3,}[A-Za-z0-9+/_-]*={0,2}|[A-Za-z0-9+/_-]{201,}={0,2}/g;
const BLOB_SHOWN = 16;
const TAX_NUMBER = /(?<![A-Za-z0-9])[A-Za-z]{5}[0-9]{4}[A-Za-z](?![A-Za-z0-9])/g;
const PASSWORD = /\b((?:otp|one[- ]time (?:password|code)|mpin|passcode|password)\b[^0-9]{0,24})([0-9]{4,8})\b/gi;
const PASSWORD_FIRST = /\b[0-9]{4,8}(?=\s+(?:is|as)\s+(?:your|the)\b[^.]{0,40}\b(?:otp|one[- ]time|password|code)\b)/gi;
const GROUPED = /(?<![0-9])[0-9]{4}([ -])[0-9]{4}\1[0-9]{4}(?:\1[0-9]{1,7})?(?![0-9])/g;
const DIGITS = /[0-9]{9,}/g;
const MOBILE = /^[6-9][0-9]{9}$/;
const LONGEST_KEPT = 64;

const ACCOUNT_NAME = /acc/i;

/** The treatment of a field by its name. */
export function namedTreatment(name: string, { hiddenName, hasBankAccounts = false }: MaskRules): Treatment {
  const treatment = treatmentOf(name, hiddenName);
  return hasBankAccounts && treatment === "usual" && ACCOUNT_NAME.test(name) ? "last_four" : treatment;
}

/** The treatment of a plain value of a field, which may differ in a login's answer. */
export function valueTreatment(name: string, usual: Treatment, { tokenNames }: MaskRules): Treatment {
  return tokenNames === undefined ? usual : loginTreatment(name, tokenNames, usual);
}

/** Masks one value by the treatment of its field. */
export function maskValue(value: string, treatment: Treatment, rules: MaskRules): string {
  if (value === "") return value;
  const { hidden, shortened } = rules.standIns ?? MARKS;
  if (treatment === "hidden") return hidden(value);
  const open = rules.secrets(value);
  if (rules.readable.includes(open)) return open;
  if (treatment === "last_four") return open.length > 4 ? shortened(open) : hidden(open);
  return maskText(open, rules, treatment === "readable");
}

/** Masks identities, one-time passwords and long numbers in a text, and shortens base64. */
export function maskText(text: string, rules: MaskRules, keepsNumbers = false): string {
  // Checked without the secrets: what stands beside one may be a word of its own.
  const open = rules.secrets(text);
  if (isHarmless(open)) return open;
  const kept = rules.readable.filter((one) => one.length > 0 && one.length <= LONGEST_KEPT && text.includes(one));
  if (kept.length === 0) return maskPiece(open, rules, keepsNumbers);
  const longestFirst = [...kept].sort((one, other) => other.length - one.length).map((one) => one.replace(/[^A-Za-z0-9]/g, "\\$&"));
  // Only where it stands alone: a short reference may also be a part of somebody's account number.
  const pattern = new RegExp(`(?<![A-Za-z0-9])(${longestFirst.join("|")})(?![A-Za-z0-9])`, "g");
  const pieces = open.split(pattern);
  return pieces.map((piece, place) => (place % 2 === 1 ? piece : maskPiece(piece, rules, keepsNumbers))).join("");
}

const LONGEST_HARMLESS = 100;
const FEWEST_DIGITS = 4;
const LONG_NUMBER_DIGITS = 9;
const TAX_NUMBER_LENGTH = 10;

/**
 * Whether no pattern can match. Every pattern needs a bracket, an ampersand, four digits in a row or a long text. Of a single
 * word of letters and digits, such as a provider's id, only a tax number and a long number are masked. It is a loop because
 * it decides about every name and value of an exchange.
 */
export function isHarmless(text: string): boolean {
  if (text.length > LONGEST_HARMLESS) return false;
  let isWord = true;
  let digits = 0;
  let mostDigits = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x30 && unit <= 0x39) {
      digits++;
      if (digits > mostDigits) mostDigits = digits;
      continue;
    }
    digits = 0;
    if (unit === LESS_THAN || unit === AMPERSAND) return false;
    if (!isLetter(unit)) isWord = false;
  }
  if (mostDigits < FEWEST_DIGITS) return true;
  return isWord && mostDigits < LONG_NUMBER_DIGITS && text.length !== TAX_NUMBER_LENGTH;
}

const LESS_THAN = 0x3c;
const AMPERSAND = 0x26;

function isLetter(unit: number): boolean {
  const small = unit | 0x20;
  return unit < 0x80 && small >= 0x61 && small <= 0x7a;
}

function maskPiece(text: string, { standIns }: MaskRules, keepsNumbers: boolean): string {
  if (isHarmless(text)) return text;
  const { hidden, shortened } = standIns ?? MARKS;
  const open = text
    .replace(PID, "[PID hidden]")
    .replace(BLOB, (blob) => `${blob.slice(0, BLOB_SHOWN)}…[${blob.length} characters]`)
    .replace(TAX_NUMBER, (number) => (standIns ? hidden(number) : "[PAN hidden]"))
    .replace(PASSWORD, (_, words: string, digits: string) => `${words}${hidden(digits)}`)
    .replace(PASSWORD_FIRST, hidden)
    .replace(GROUPED, shortened);
  return keepsNumbers
    ? open
    : open.replace(DIGITS, (digits, offset: number, whole: string) => maskedNumber(digits, offset, whole, shortened));
}

/** The last four digits of a number as long as an account, card or Aadhaar number. A mobile number stays. */
function maskedNumber(digits: string, offset: number, whole: string, shortened: StandIns["shortened"]): string {
  const withoutCountry = digits.length === 12 && digits.startsWith("91") && whole[offset - 1] === "+" ? digits.slice(2) : digits;
  return MOBILE.test(withoutCountry) ? digits : shortened(digits);
}
