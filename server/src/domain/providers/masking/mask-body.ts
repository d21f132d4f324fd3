import { maskJson } from "./mask-json.ts";
import { isHarmless, type MaskRules, maskText, maskValue, namedTreatment, valueTreatment } from "./mask-value.ts";
import { maskXml } from "./mask-xml.ts";

const DEEPEST = 3;
const PAIR = /([A-Za-z][\w.-]{0,40})("?[ \t]{0,3}[=:][ \t]{0,3})("[^"]{0,200}"|[^\s,;&|"'<>]{1,200})/g;

/** Masks a body of whatever format. What was not masked stays as it was, byte for byte. */
export function maskBody(text: string, rules: MaskRules, depth = 0): string {
  const open = rules.secrets(text);
  if (isPlainWords(open)) return open;
  const nested = (value: string) => maskNested(value, rules, depth + 1);
  const first = open.trimStart().charAt(0);
  if (first === "{" || first === "[") return maskJson(open, rules, nested);
  if (first === "<") return maskXml(open, rules, nested);
  if (/^[^<\s=&|,;]{1,100}=/.test(open) && !/[\r\n]/.test(open.trim())) return maskForm(open, rules, nested);
  return maskLoose(open, rules);
}

/** A short text without structure, such as most headers: nothing in it is masked. */
function isPlainWords(text: string): boolean {
  return isHarmless(text) && !/[=:{[]/.test(text);
}

/** A value that may itself be JSON, XML or a form. */
function maskNested(value: string, rules: MaskRules, depth: number): string {
  return depth <= DEEPEST && /^\s*(?:[[{<]|[^<\s=&]{1,100}=[^&]*&)/.test(value) ? maskBody(value, rules, depth) : maskText(value, rules);
}

/** A query or a form: `name=value&name=value`. */
export function maskForm(text: string, rules: MaskRules, nested = (value: string) => maskText(value, rules)): string {
  return text
    .split("&")
    .map((pair) => maskPair(pair, rules, nested))
    .join("&");
}

function maskPair(pair: string, rules: MaskRules, nested: (value: string) => string): string {
  const split = pair.indexOf("=");
  if (split < 0) return maskText(pair, rules);
  const [name, value] = [pair.slice(0, split), decoded(pair.slice(split + 1))];
  const treatment = valueTreatment(decoded(name), namedTreatment(decoded(name), rules), rules);
  const masked = treatment === "usual" ? nested(value) : maskValue(value, treatment, rules);
  return masked === value ? pair : `${name}=${masked}`;
}

function decoded(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    // Not UTF-8: each escape is one byte.
    return spaced.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}

/** Plain text, in which `name=value` and `name: value` may occur. */
function maskLoose(text: string, rules: MaskRules): string {
  let out = "";
  let done = 0;
  for (const match of text.matchAll(PAIR)) {
    const [whole, name = "", between = "", value = ""] = match;
    const treatment = valueTreatment(name, namedTreatment(name, rules), rules);
    if (treatment === "usual") continue;
    out += `${maskText(text.slice(done, match.index), rules)}${name}${between}${maskValue(value, treatment, rules)}`;
    done = match.index + whole.length;
  }
  return out + maskText(text.slice(done), rules);
}
