/** How the value of a field is shown, by the field's name. */
export type Treatment = "hidden" | "last_four" | "readable" | "usual";

// Contained in some sensitive name's letters, but harmless.
const HARMLESS = /passengers?|compan(?:y|ies)|pin[_ -]?codes?|idempotency[_ -]?key|keywords?/g;
const SENSITIVE =
  /key|token|secret|sign|hash|auth|pass|pwd|pin|otp|aadha?ar|adhaa?r|pan|card|cvv|jwt|bearer|cookie|session|credential|biometric/;
// Numbers of identity documents. The word "id" alone would make them references.
const DOCUMENT = /\b(?:id|proof|document|doc|passport|voter|licen[cs]e|driving)s? ?(?:no|num(?:ber)?)\b|passport|voter|aadha/;
const SENSITIVE_WORDS = new Set(["uid", "pid", "vid", "piddata", "pidblock", "pidxml", "skey", "hmac", "hidden"]);
const ACCOUNT = /acc(?:oun)?t?[_ .-]?(?:no|num)|acno|iban/;
const ACCOUNT_HOLDER = /bank|benef|payee|remit|debit|credit/;
const PERSONAL = /acc|benef|mobile|phone|customer|consumer|sender/;
const READABLE = /reference|transaction|timestamp|amount|balance|order[_ -]?id|request[_ -]?id|refid|txnid|urid/;
const READABLE_WORDS = new Set([
  "id",
  "ref",
  "refno",
  "rrn",
  "utr",
  "stan",
  "arn",
  "ack",
  "pnr",
  "txn",
  "tid",
  "txid",
  "time",
  "date",
  "stamp",
  "ts",
  "amt",
  "fare",
  "price",
  "cost",
]);

/**
 * `hidden`: a credential or an identity. `last_four`: a bank account. `readable`: a reference, a time or an amount, whose long
 * numbers identify nobody. `usual`: the value itself decides. `hiddenName` is hidden whatever its name.
 */
export function treatmentOf(name: string, hiddenName?: string | null): Treatment {
  if (name === hiddenName) return "hidden";
  const known = decided.get(name);
  if (known !== undefined) return known;
  const treatment = decide(name);
  if (name.length <= LONGEST_REMEMBERED) {
    // A provider repeats its names; one that invents new ones must not fill the memory.
    if (decided.size >= MOST_REMEMBERED) decided.clear();
    decided.set(name, treatment);
  }
  return treatment;
}

const decided = new Map<string, Treatment>();
const MOST_REMEMBERED = 2000;
const LONGEST_REMEMBERED = 64;

function decide(name: string): Treatment {
  const plain = name.toLowerCase().replace(HARMLESS, "");
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  if (DOCUMENT.test(words.join(" "))) return "hidden";
  if (SENSITIVE.test(plain) || words.some((word) => SENSITIVE_WORDS.has(word))) return "hidden";
  if (ACCOUNT.test(plain) || isHoldersAccount(plain)) return "last_four";
  if (PERSONAL.test(plain)) return "usual";
  return READABLE.test(plain) || words.some((word) => READABLE_WORDS.has(word)) ? "readable" : "usual";
}

/** Not a part of `ACCOUNT`, because a name that repeats the first word would then take quadratic time. */
function isHoldersAccount(name: string): boolean {
  const holder = name.search(ACCOUNT_HOLDER);
  return holder >= 0 && name.includes("acc", holder);
}

const RESULT_WORDS = new Set([
  "status",
  "result",
  "message",
  "msg",
  "error",
  "description",
  "desc",
  "success",
  "reason",
  "remark",
  "remarks",
]);
const RESULT_CODE = /^(?:(?:response|result|status|error|return|reply|resp)_?)?code$/;

/** Whether a field tells how a call ended. An authorization code or a passcode does not. */
function isResultName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return RESULT_WORDS.has(words.at(-1) ?? "") || RESULT_CODE.test(words.slice(-2).join("_"));
}

/**
 * The treatment of a login's field: the token is hidden whatever its name, and how the login ended stays readable, also inside
 * an object that is hidden because of its name, such as `session`. Everything else is treated as elsewhere.
 */
export function loginTreatment(name: string, tokenNames: readonly string[], usual: Treatment): Treatment {
  if (tokenNames.includes(name)) return "hidden";
  return isResultName(name) ? "usual" : usual;
}
