import { loadedLanguage } from "./catalogue.ts";
import { fill } from "./fill.ts";

type Known = { readonly pattern: RegExp; readonly translated: string };

let patterns: readonly Known[] | undefined;

function knownTexts(): readonly Known[] {
  patterns ??= Object.entries(loadedLanguage()?.serverTexts ?? {})
    .filter(([english]) => english.includes("{"))
    .map(([english, translated]) => ({ pattern: patternOf(english), translated }));
  return patterns;
}

function patternOf(english: string): RegExp {
  const source = english.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{(\w+)\}/g, "(?<$1>.+?)");
  return new RegExp(`^${source}$`, "s");
}

/** A sentence of the service in the chosen language. What has no translation is returned unchanged. */
export function serverText(text: string): string {
  const exact = loadedLanguage()?.serverTexts[text];
  if (exact !== undefined) return exact;
  for (const { pattern, translated } of knownTexts()) {
    const groups = pattern.exec(text)?.groups;
    // A part can be a sentence of the service itself, such as the reason why a password is refused.
    if (groups !== undefined) {
      const parts = Object.fromEntries(Object.entries(groups).map(([name, part]) => [name, serverText(part)]));
      return fill(translated, parts as Readonly<Record<never, string>>);
    }
  }
  return text;
}
