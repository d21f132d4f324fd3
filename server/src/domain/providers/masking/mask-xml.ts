import type { Treatment } from "./field-names.ts";
import { type MaskRules, maskValue, namedTreatment, valueTreatment } from "./mask-value.ts";

// Each takes linear time, because an answer or a forged callback may be one long name.
const TOKEN = /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\/?[A-Za-z_][^<>]*>|[^<]+|</g;
const TAG = /^<(\/?)([A-Za-z_][\w:.-]*)((?:[^\w:.<>-][^<>]*)?)>$/;
const ATTRIBUTE = /(?<![\w:.-])([\w:.-]+)(\s*=\s*)("[^"]*"|'[^']*')/g;

type Element = { readonly name: string; readonly treatment: Treatment };

/** Masks XML piece by piece: texts by the name of their element, attributes by their own. */
export function maskXml(text: string, rules: MaskRules, nested: (value: string) => string): string {
  const elements = new OpenElements();
  const masked = text.match(TOKEN)?.map((token) => {
    const [, closing, name = "", attributes = ""] = TAG.exec(token) ?? [];
    const inner = elements.innermost();
    const treatment = inner?.treatment ?? "usual";
    if (closing === undefined) {
      const ofText = inner === undefined ? treatment : valueTreatment(localName(inner.name), treatment, rules);
      return maskContent(token, ofText, rules, nested);
    }
    if (closing === "/") {
      elements.close(name);
      return token;
    }
    const own = treatment === "hidden" ? treatment : namedTreatment(localName(name), rules);
    if (!attributes.trimEnd().endsWith("/")) elements.open({ name, treatment: own });
    return `<${name}${maskAttributes(attributes, own, rules)}>`;
  });
  return masked?.join("") ?? "";
}

/** The elements around the current place. They are counted by name, so that an end tag without its start costs no search. */
class OpenElements {
  readonly #elements: Element[] = [];
  readonly #counts = new Map<string, number>();

  innermost(): Element | undefined {
    return this.#elements.at(-1);
  }

  open(element: Element): void {
    this.#elements.push(element);
    this.#counts.set(element.name, (this.#counts.get(element.name) ?? 0) + 1);
  }

  /** Closes the innermost element of this name, with what is still open in it. */
  close(name: string): void {
    if ((this.#counts.get(name) ?? 0) === 0) return;
    for (let closed = ""; closed !== name; ) {
      closed = this.#elements.pop()?.name ?? name;
      this.#counts.set(closed, (this.#counts.get(closed) ?? 0) - 1);
    }
  }
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
