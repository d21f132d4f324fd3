import { LANGUAGE, LANGUAGES, type LoadedLanguage } from "./languages.ts";

/** A message that depends on a count. Which forms a language has is defined by Intl.PluralRules. */
export type PluralMessage = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

type Messages = Readonly<Record<string, string | PluralMessage>>;

/** The type of a translation: the same keys, with text for text and plural forms for plural forms. */
export type Translation<English extends Messages> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : PluralMessage;
};

/** The areas into which the messages are divided, so that a page loads only its own. */
export type Area =
  | "allowlist"
  | "analytics"
  | "api-access"
  | "audit"
  | "callbacks"
  | "complaints"
  | "credentials"
  | "exports"
  | "home"
  | "jobs"
  | "limits"
  | "logs"
  | "members"
  | "operators"
  | "portal"
  | "replay"
  | "sandbox"
  | "security"
  | "shell"
  | "sign-in"
  | "signature-debugger"
  | "single-sign-on"
  | "status"
  | "status-subscriptions"
  | "tokens"
  | "transactions"
  | "ui"
  | "wallet";

let loaded: LoadedLanguage | undefined;

/** Loads the chosen language. Modules that use messages are imported afterwards. */
export async function loadMessages(): Promise<void> {
  loaded = await LANGUAGES[LANGUAGE].load?.();
}

/** The chosen language; undefined for the language of the sources. */
export function loadedLanguage(): LoadedLanguage | undefined {
  return loaded;
}

/** Defines the English messages of an area and returns those of the chosen language. */
export function messages<const English extends Messages>(area: Area, english: English): English {
  return loaded === undefined ? english : (loaded.translations[area] as English);
}
