import { percentEncode } from "../../wire/percent-encode.ts";

export type Escape = (text: string) => string;

/** How a value is written at its position. */
export const ESCAPES = {
  none: (text: string) => text,
  url: percentEncode,
  /** A field of an HTML form, where a space is a plus. */
  form: (text: string) => new URLSearchParams([["", text]]).toString().slice(1),
  // Characters that XML cannot express, not even escaped, are left out.
  xml: (text: string) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML 1.0 forbids.
    text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "").replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`),
} as const satisfies Record<string, Escape>;
