import { unescapeXml } from "./unescape-xml.ts";

/** A subset of XML without DTDs and custom entities, so that nothing can expand or be fetched. */
export type Element = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Element[];
  readonly text: string;
};

type Open = { name: string; attributes: Map<string, string>; children: Element[]; text: string };

const NAME = /^[A-Za-z_][\w.:-]*$/;
const ATTRIBUTE = /^\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/;
const MAX_DEPTH = 32;

/** The root element; null when the text is not well formed. */
export function parseXml(text: string): Element | null {
  const root: Open = { name: "", attributes: new Map(), children: [], text: "" };
  const stack: Open[] = [root];
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    const end = text.charAt(at) === "<" ? markup(text, at, stack) : characters(text, at, stack);
    if (end === null) return null;
    at = end;
  }
  const [only] = root.children;
  return stack.length === 1 && root.children.length === 1 && root.text.trim() === "" && only ? only : null;
}

/** `/response/status`, `response/status` or `response/@code`; null unless there is exactly one match. */
export function xmlText(root: Element, path: string): string | null {
  const steps = path.replace(/^\//, "").split("/");
  const last = steps.at(-1) ?? "";
  const attribute = last.startsWith("@") ? last.slice(1) : null;
  const names = attribute === null ? steps : steps.slice(0, -1);
  if (names[0] !== root.name) return null;
  let here: Element = root;
  for (const name of names.slice(1)) {
    const [found, ...others] = here.children.filter((child) => child.name === name);
    if (!found || others.length > 0) return null;
    here = found;
  }
  if (attribute !== null) return here.attributes.get(attribute) ?? null;
  return here.children.length === 0 ? here.text.trim() : null;
}

// Returns the end of the markup, or null when it is not supported.
function markup(text: string, at: number, stack: Open[]): number | null {
  if (text.startsWith("<?", at)) return after(text, "?>", at);
  if (text.startsWith("<!--", at)) return after(text, "-->", at + 4);
  if (text.startsWith("<![CDATA[", at)) return cdata(text, at, stack);
  if (text.startsWith("<!", at)) return null;
  const end = endOfTag(text, at);
  if (end === null) return null;
  const inside = text.slice(at + 1, end);
  const fine = inside.startsWith("/") ? close(inside.slice(1).trimEnd(), stack) : open(inside, stack);
  return fine ? end + 1 : null;
}

function after(text: string, mark: string, from: number): number | null {
  const found = text.indexOf(mark, from);
  return found < 0 ? null : found + mark.length;
}

function cdata(text: string, at: number, stack: Open[]): number | null {
  const end = after(text, "]]>", at);
  const here = stack.at(-1);
  if (end === null || !here || stack.length === 1) return null;
  here.text += text.slice(at + "<![CDATA[".length, end - "]]>".length);
  return end;
}

function characters(text: string, at: number, stack: Open[]): number | null {
  const next = text.indexOf("<", at);
  const end = next < 0 ? text.length : next;
  const plain = unescapeXml(text.slice(at, end));
  const here = stack.at(-1);
  if (plain === null || !here) return null;
  here.text += plain;
  return end;
}

// A > inside a quoted attribute does not end the tag.
function endOfTag(text: string, from: number): number | null {
  let quote = "";
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at;
  }
  return null;
}

function open(inside: string, stack: Open[]): boolean {
  const empty = inside.endsWith("/");
  const tag = empty ? inside.slice(0, -1) : inside;
  const name = /^[^\s]+/.exec(tag)?.[0] ?? "";
  const attributes = NAME.test(name) ? readAttributes(tag.slice(name.length)) : null;
  if (attributes === null || stack.length > MAX_DEPTH) return false;
  const element: Open = { name, attributes, children: [], text: "" };
  stack.at(-1)?.children.push(element);
  if (!empty) stack.push(element);
  return true;
}

function close(name: string, stack: Open[]): boolean {
  return stack.length > 1 && stack.pop()?.name === name;
}

function readAttributes(text: string): Map<string, string> | null {
  const attributes = new Map<string, string>();
  let rest = text;
  while (rest.trim() !== "") {
    const match = ATTRIBUTE.exec(rest);
    const value = match ? unescapeXml(match[2] ?? match[3] ?? "") : null;
    if (!match || value === null || attributes.has(match[1] ?? "")) return null;
    attributes.set(match[1] ?? "", value);
    rest = rest.slice(match[0].length);
  }
  return attributes;
}
