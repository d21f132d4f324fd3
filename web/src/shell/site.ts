import { type ComponentType, createContext, useContext } from "react";
import type { SignedIn } from "../ui/session.ts";
import type { MenuEntry } from "./menu.ts";

/** What the palette offers for a text that was typed: to look for it on a page. */
export type Find = { readonly what: string; readonly to: string; readonly filter: string };

/** In what the sites differ, as far as what they share is concerned. */
export type Site = {
  /** In the browser's tab, after the page's own name. */
  readonly name: string;
  /** Beside the mark, where the site must not be mistaken for another. */
  readonly tag: string | null;
  /** The whole menu, in order. */
  readonly menu: readonly MenuEntry[];
  /** Stands below the mark: whose pages these are. */
  readonly About: ComponentType;
  /** Stands above every page when there is something to say about the session. */
  readonly Banner?: ComponentType;
  /** Addresses of the menu that are not for this session, whatever its role. */
  readonly hides?: (session: SignedIn) => readonly string[];
  readonly finds: readonly Find[];
  readonly roleNames: Readonly<Record<string, string>>;
  /** Nobody gets in by a password alone. */
  readonly secondFactorRequired: boolean;
  /** What a change touches that wants a fresh proof. */
  readonly freshFor: string;
};

const SiteContext = createContext<Site | null>(null);

export const SiteProvider = SiteContext.Provider;

export function useSite(): Site {
  const site = useContext(SiteContext);
  if (site === null) throw new Error("A page stands outside of every site.");
  return site;
}
