import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { actionText } from "../audit/audit.ts";
import type { PluralMessage } from "./catalogue.ts";
import { fill, plural } from "./fill.ts";
import { LANGUAGE_CODES, LANGUAGES } from "./languages.ts";

type Texts = Readonly<Record<string, string | PluralMessage>>;

const AREAS = (await readdir(new URL("en/", import.meta.url)))
  .filter((file) => file !== "number-words.ts")
  .map((file) => file.replace(".ts", ""));

const SERVER = new URL("../../../server/src/", import.meta.url);
const CATALOGUE = new URL("../../../server/schema/platform/catalog-data.sql", import.meta.url);

async function english(area: string): Promise<Texts> {
  return Object.values((await import(`./en/${area}.ts`)) as Record<string, Texts>)[0] ?? {};
}

function namesIn(message: string | PluralMessage | undefined): readonly string[] {
  const forms = typeof message === "object" ? Object.values(message) : [message ?? ""];
  return [...new Set(forms.flatMap((form) => [...form.matchAll(/\{(\w+)\}|<(\w+)>/g)].map(([found]) => found)))].sort();
}

test.each(LANGUAGE_CODES.filter((code) => LANGUAGES[code].load !== null))(
  "%s has every message with its placeholders and tags",
  async (code) => {
    const loaded = await LANGUAGES[code].load?.();
    const translations = (loaded?.translations ?? {}) as Readonly<Record<string, Texts>>;
    expect(Object.keys(translations).sort()).toEqual([...AREAS].sort());
    for (const area of AREAS) {
      const source = await english(area);
      const translated = translations[area] ?? {};
      expect(Object.keys(translated).sort(), area).toEqual(Object.keys(source).sort());
      for (const [key, message] of Object.entries(source)) {
        expect(namesIn(translated[key]), `${area}.${key}`).toEqual(namesIn(message));
        expect(JSON.stringify(translated[key]).trim(), `${area}.${key}`).not.toBe('""');
      }
    }
  },
);

test("placeholders are filled, and the form follows the count", () => {
  expect(fill("Sign in with {name}", { name: "Okta" })).toBe("Sign in with Okta");
  const calls = { one: "{count} call", other: "{count} calls" } as const;
  expect(plural(calls, 1, { count: 1 })).toBe("1 call");
  expect(plural(calls, 0, { count: 0 })).toBe("0 calls");
});

test("what is translated of the service is what the service says", async () => {
  const files = await readdir(SERVER, { recursive: true });
  const sources = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const texts = await Promise.all(sources.map((file) => readFile(new URL(file, SERVER), "utf8")));
  const source = [...texts, await readFile(CATALOGUE, "utf8")].join("\n");
  const actions = [...source.matchAll(/["`]([a-z0-9_.]+)["`]/g)].map(([, action = ""]) => actionText(action));
  // Templates name their parts otherwise.
  const all = [source.replaceAll(/\$\{[^{}]*\}/g, "{}"), ...actions].join("\n");
  const { serverTexts } = await LANGUAGES.hi.load();
  const pieces = (text: string) => text.split(/\{\w+\}/).map((piece) => piece.trim());
  const unsaid = Object.keys(serverTexts).filter((text) => !pieces(text).every((piece) => all.includes(piece)));
  expect(unsaid).toEqual([]);
});
