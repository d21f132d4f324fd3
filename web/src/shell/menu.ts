import type { LucideIcon } from "lucide-react";

export type MenuEntry = {
  readonly to: string;
  readonly label: string;
  /** The section of the menu that lists it. */
  readonly section: string;
  /** The section is part of the page's name: "API › Credentials". */
  readonly namedAfterSection?: boolean;
  readonly icon: LucideIcon;
  /** The roles that see it. */
  readonly who: readonly string[];
};

type Shown = { readonly pages: Readonly<Record<string, unknown>>; readonly role: string; readonly hidden: readonly string[] };

/** The entries whose page exists and that the role may see. */
export function menuFor(menu: readonly MenuEntry[], { pages, role, hidden }: Shown): readonly MenuEntry[] {
  return menu.filter(({ to, who }) => pages[to] !== undefined && who.includes(role) && !hidden.includes(to));
}

/** The entry with the longest path that is a prefix of the address. */
export function entryOf(menu: readonly MenuEntry[], path: string): MenuEntry | undefined {
  const matches = (entry: MenuEntry) => path === entry.to || (entry.to !== "/" && path.startsWith(`${entry.to}/`));
  return menu.filter(matches).sort((left, right) => right.to.length - left.to.length)[0];
}

/** "API › Credentials" where the section is part of the name. */
export function fullLabel(entry: MenuEntry): string {
  return entry.namedAfterSection ? `${entry.section} › ${entry.label}` : entry.label;
}
