import { type ComponentType, createContext, useContext } from "react";
import type { Language } from "../messages/languages.ts";
import type { Found } from "../ui/overlays/palette.tsx";
import type { SignedIn } from "../ui/requests/session.ts";
import type { MenuEntry } from "./menu.ts";

/** A search that the command palette offers for the typed text: the page and the filter to set. */
export type Find = { readonly title: (text: string) => string; readonly to: string; readonly filter: string };

/** What the shared shell needs to know about a site (portal or console). */
export type Site = {
  /** Shown in the browser's tab after the page's name. */
  readonly name: string;
  /** Shown beside the logo to tell the sites apart; null for none. */
  readonly tag: string | null;
  /** The whole menu, in order. */
  readonly menu: readonly MenuEntry[];
  /** Shown below the logo: the account or installation that the pages belong to. */
  readonly About: ComponentType;
  /** Shown above every page, for example while staff view a client's portal. */
  readonly Banner?: ComponentType;
  /** Shown in the header, for example the bell. */
  readonly HeaderTools?: ComponentType;
  /** A hook that gives the number of open items for entries of the menu, by their path. */
  readonly useMenuCounts?: () => Readonly<Record<string, number>>;
  /** A hook that gives what stores the user's choice of a language. Without it the site is in English only. */
  readonly useLanguageChoice?: () => (language: Language) => void;
  /** Menu paths hidden from this session regardless of its role. */
  readonly hides?: (session: SignedIn) => readonly string[];
  /** Menu paths of pages about the whole installation, which test mode hides. */
  readonly liveOnly?: readonly string[];
  readonly finds: readonly Find[];
  /** A hook that gives the records, such as transactions, that match the text of the command palette. */
  readonly useFound: (text: string) => readonly Found[];
  readonly roleNames: Readonly<Record<string, string>>;
  /** Whether every user must have a second factor. */
  readonly secondFactorRequired: boolean;
  /** Whom to ask for a new password when the installation sends no email. */
  readonly noMailHelp: string;
  /** The API reference that the menu links to. */
  readonly reference: { readonly label: string; readonly href: string };
  /** The kinds of changes that need a recent confirmation, for the confirmation dialog. */
  readonly freshFor: string;
};

const SiteContext = createContext<Site | null>(null);

export const SiteProvider = SiteContext.Provider;

export function useSite(): Site {
  const site = useContext(SiteContext);
  if (site === null) throw new Error("useSite was called outside SiteProvider.");
  return site;
}
