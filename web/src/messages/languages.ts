import type { NumberWords } from "./amount-in-words.ts";

/** What the folder of a language other than English has. */
export type LoadedLanguage = {
  /** The messages of the pages, by area. */
  readonly translations: Readonly<Record<string, object>>;
  /** Sentences of the service, by their English text. */
  readonly serverTexts: Readonly<Record<string, string>>;
  readonly numberWords: NumberWords;
};

/** What the pages need to know about a language. */
type LanguageDefinition = {
  /** Its name in the language itself, as the switch shows it. */
  readonly name: string;
  /** Loads its messages. Null: the language of the sources, whose messages come with the pages. */
  readonly load: (() => Promise<LoadedLanguage>) | null;
};

/** The languages of the portal. To add one, see "Adding a language" in CONTRIBUTING.md. */
export const LANGUAGES = {
  en: { name: "English", load: null },
  hi: { name: "हिन्दी", load: () => import("./hi/index.ts") },
} as const satisfies Readonly<Record<string, LanguageDefinition>>;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly Language[];

const KEY = "corprail-language";

function isLanguage(code: string | null): code is Language {
  return code !== null && Object.hasOwn(LANGUAGES, code);
}

// The choice of this browser, and without one the first of the browser's own languages that the portal has.
function findLanguage(): Language {
  // Staff use the console in English, and unit tests run outside a browser.
  if (import.meta.env.MODE === "console" || typeof localStorage === "undefined") return "en";
  const stored = localStorage.getItem(KEY);
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

/** The language of this page. It is fixed until the page is loaded again, so messages are plain values. */
export const LANGUAGE: Language = findLanguage();

/** Keeps the choice in this browser and loads the page again in that language. */
export function switchLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
  // Without storage the page would come back in the same language and switch again, for ever.
  if (localStorage.getItem(KEY) === language && language !== LANGUAGE) window.location.reload();
}

/** Adopts the language that a member chose at another browser. */
export function adoptLanguage(chosen: string | null): void {
  if (import.meta.env.MODE !== "console" && isLanguage(chosen) && chosen !== LANGUAGE) switchLanguage(chosen);
}
