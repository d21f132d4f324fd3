import type { LucideIcon } from "lucide-react";

export type MenuEntry = {
  readonly to: string;
  readonly label: string;
  /** The part of the menu it stands in. */
  readonly section: string;
  /** The section is part of the page's name: "API › Credentials". */
  readonly namedAfterSection?: boolean;
  readonly icon: LucideIcon;
  /** The roles that see it. */
  readonly who: readonly string[];
};

type Shown = { readonly pages: Readonly<Record<string, unknown>>; readonly role: string; readonly hidden: readonly string[] };

/** An entry shows as soon as the router has its page and the role may see it. */
export function menuFor(menu: readonly MenuEntry[], { pages, role, hidden }: Shown): readonly MenuEntry[] {
  return menu.filter(({ to, who }) => pages[to] !== undefined && who.includes(role) && !hidden.includes(to));
}

/** The entry an address belongs to: the longest that it begins with. */
export function entryOf(menu: readonly MenuEntry[], path: string): MenuEntry | undefined {
  const fits = (entry: MenuEntry) => path === entry.to || (entry.to !== "/" && path.startsWith(`${entry.to}/`));
  return menu.filter(fits).sort((one, other) => other.to.length - one.to.length)[0];
}

/** "API › Credentials" where the section is part of the name. */
export function fullLabel(entry: MenuEntry): string {
  return entry.namedAfterSection ? `${entry.section} › ${entry.label}` : entry.label;
}
