import type { Treatment } from "./field-names.ts";
import { type MaskRules, maskValue, namedTreatment, valueTreatment } from "./mask-value.ts";

const TOKEN = /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\/?[A-Za-z_][\w:.-]*[^<>]*>|[^<]+|</g;
const TAG = /^<(\/?)([A-Za-z_][\w:.-]*)([^<>]*)>$/;
const ATTRIBUTE = /([\w:.-]+)(\s*=\s*)("[^"]*"|'[^']*')/g;

type Element = { readonly name: string; readonly treatment: Treatment };

/** Masks XML piece by piece: texts by the name of their element, attributes by their own. */
export function maskXml(text: string, rules: MaskRules, nested: (value: string) => string): string {
  const elements: Element[] = [];
  const masked = text.match(TOKEN)?.map((token) => {
    const [, closing, name = "", attributes = ""] = TAG.exec(token) ?? [];
    const inner = elements.at(-1);
    const treatment = inner?.treatment ?? "usual";
    if (closing === undefined) {
      const ofText = inner === undefined ? treatment : valueTreatment(localName(inner.name), treatment, rules);
      return maskContent(token, ofText, rules, nested);
    }
    if (closing === "/") {
      closeElement(elements, name);
      return token;
    }
    const own = treatment === "hidden" ? treatment : namedTreatment(localName(name), rules);
    if (!attributes.trimEnd().endsWith("/")) elements.push({ name, treatment: own });
    return `<${name}${maskAttributes(attributes, own, rules)}>`;
  });
  return masked?.join("") ?? "";
}

function closeElement(elements: Element[], name: string): void {
  const place = elements.findLastIndex((element) => element.name === name);
  if (place >= 0) elements.splice(place);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function maskAttributes(attributes: string, element: Treatment, rules: MaskRules): string {
  return attributes.replace(ATTRIBUTE, (whole, name: string, between: string, quoted: string) => {
    const value = unescaped(quoted.slice(1, -1));
    const masked = maskValue(value, element === "hidden" ? element : namedTreatment(localName(name), rules), rules);
    return masked === value ? whole : `${name}${between}"${escaped(masked)}"`;
  });
}

function maskContent(token: string, treatment: Treatment, rules: MaskRules, nested: (value: string) => string): string {
  // Nothing is hidden in a lone bracket, and a text of many must not be costly.
  if (token === "<" || token.trim() === "") return token;
  const [, data] = /^<!\[CDATA\[([\s\S]*?)(?:\]\]>)?$/.exec(token) ?? [];
  const value = data ?? unescaped(token);
  const masked = treatment === "usual" ? nested(value) : maskValue(value, treatment, rules);
  return masked === value ? token : escaped(masked);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function unescaped(text: string): string {
  return text.replace(
    /&(?:(lt|gt|quot|apos|amp)|#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g,
    (whole, name?: string, ten?: string, hex?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const code = ten === undefined ? Number.parseInt(hex ?? "", 16) : Number(ten);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
