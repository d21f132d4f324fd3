const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** Null when the text contains an entity other than the five predefined ones and numeric ones. */
export function unescapeXml(text: string): string | null {
  let unknown = false;
  const plain = text.replace(/&([^;&\s]{0,10});?/g, (whole, name: string) => {
    const character = whole.endsWith(";") ? (NAMED.get(name) ?? numbered(name)) : undefined;
    if (character === undefined) unknown = true;
    return character ?? "";
  });
  return unknown ? null : plain;
}

function numbered(name: string): string | undefined {
  const match = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name);
  if (!match) return undefined;
  const code = match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16);
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : undefined;
}
