import { loadedLanguage } from "./catalogue.ts";
import { fill } from "./fill.ts";

/** `pieces`: fixed text, the name of a placeholder, fixed text, and so on. */
type Known = { readonly pieces: readonly string[]; readonly translated: string };

let known: readonly Known[] | undefined;

function knownTexts(): readonly Known[] {
  known ??= Object.entries(loadedLanguage()?.serverTexts ?? {})
    .filter(([english]) => english.includes("{"))
    .map(([english, translated]) => ({ pieces: english.split(/\{(\w+)\}/), translated }));
  return known;
}

/**
 * What stands at the placeholders, each as short as possible but not empty; null if the text is another one. A pattern would
 * take time with a power of the text's length.
 */
export function partsOf([first = "", ...others]: readonly string[], text: string): Readonly<Record<string, string>> | null {
  if (!text.startsWith(first)) return null;
  const parts: Record<string, string> = {};
  let at = first.length;
  for (let index = 0; index < others.length; index += 2) {
    const [name = "", fixed = ""] = others.slice(index, index + 2);
    const isLast = index + 2 === others.length;
    const end = isLast ? text.length - fixed.length : text.indexOf(fixed, at + 1);
    if (end <= at || !text.startsWith(fixed, end)) return null;
    parts[name] = text.slice(at, end);
    at = end + fixed.length;
  }
  return parts;
}

/** A sentence of the service in the chosen language. What has no translation is returned unchanged. */
export function serverText(text: string): string {
  const exact = loadedLanguage()?.serverTexts[text];
  if (exact !== undefined) return exact;
  for (const { pieces, translated } of knownTexts()) {
    const found = partsOf(pieces, text);
    // A part can be a sentence of the service itself, such as the reason why a password is refused.
    if (found !== null) {
      const parts = Object.fromEntries(Object.entries(found).map(([name, part]) => [name, serverText(part)]));
      return fill(translated, parts as Readonly<Record<never, string>>);
    }
  }
  return text;
}
