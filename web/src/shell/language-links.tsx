import type { ReactNode } from "react";
import { shellText } from "../messages/en/shell.ts";
import { LANGUAGE, LANGUAGE_CODES, LANGUAGES, switchLanguage } from "../messages/languages.ts";
import { classes } from "../ui/classes.ts";
import { useSite } from "./site.ts";

/** Switches the language of this browser, for visitors who are not signed in. */
export function LanguageLinks(): ReactNode {
  const { useLanguageChoice } = useSite();
  if (useLanguageChoice === undefined) return null;
  return (
    <fieldset className="flex shrink-0 rounded-md border border-line bg-sunken p-0.5 text-xs">
      <legend className="sr-only">{shellText.language}</legend>
      {LANGUAGE_CODES.map((code) => (
        <button
          key={code}
          type="button"
          lang={code}
          aria-pressed={code === LANGUAGE}
          onClick={() => switchLanguage(code)}
          className={classes(
            "inline-flex min-h-8 items-center rounded px-2.5 font-medium text-soft hover:text-ink",
            code === LANGUAGE && "bg-surface text-ink shadow-sm",
          )}
        >
          {LANGUAGES[code].name}
        </button>
      ))}
    </fieldset>
  );
}
