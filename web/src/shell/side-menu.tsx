import { Link } from "@tanstack/react-router";
import { BookText, X } from "lucide-react";
import type { ReactNode } from "react";
import { shellText } from "../messages/en/shell.ts";
import { IconButton } from "../ui/button.tsx";
import { Modal } from "../ui/overlays/dialog.tsx";
import { Mark } from "./mark.tsx";
import type { MenuEntry } from "./menu.ts";
import { useSite } from "./site.ts";

type Props = { readonly entries: readonly MenuEntry[] };

/** The menu beside the page on wide screens. */
export function SideMenu({ entries }: Props): ReactNode {
  return (
    <aside
      aria-label={shellText.accountAndMenu}
      className="fixed inset-y-0 left-0 menu-ground z-40 hidden w-60 flex-col border-line border-r bg-surface text-ink lg:flex"
    >
      <Whose />
      <Entries entries={entries} />
    </aside>
  );
}

/** The menu as a sheet, for phones. */
export function MenuSheet({ entries, onClose }: Props & { readonly onClose: () => void }): ReactNode {
  return (
    <Modal label={shellText.menu} onClose={onClose} className="menu-ground m-0 h-dvh max-h-dvh w-72 border-line border-r">
      <div className="flex h-full flex-col">
        <div className="flex items-start justify-between">
          <Whose />
          <IconButton icon={X} label={shellText.close} onClick={onClose} className="m-2" />
        </div>
        <Entries entries={entries} />
      </div>
    </Modal>
  );
}

function Whose(): ReactNode {
  const { About } = useSite();
  return (
    <div className="min-w-0 space-y-3 px-5 pt-4 pb-3">
      <Mark />
      <About />
    </div>
  );
}

const NO_COUNTS: Readonly<Record<string, number>> = {};
const noCounts = () => NO_COUNTS;

/** How many items of a page wait. It is beside the link, so that the link keeps its name. */
function OpenCount({ count }: { readonly count: number }): ReactNode {
  if (count === 0) return null;
  return (
    <span className="pointer-events-none absolute top-2 right-2 min-w-5 rounded-full bg-wait-tint px-1.5 text-center text-wait text-xs leading-5 font-medium tabular-nums">
      {count > 999 ? "999+" : count}
      <span className="sr-only"> {shellText.open}</span>
    </span>
  );
}

function Entries({ entries }: { readonly entries: readonly MenuEntry[] }): ReactNode {
  const { reference, useMenuCounts = noCounts } = useSite();
  const counts = useMenuCounts();
  const sections = [...new Set(entries.map((entry) => entry.section))];
  return (
    <nav aria-label={shellText.main} className="grow overflow-y-auto px-3 pb-2 [scrollbar-width:thin]">
      {sections.map((section) => {
        const sectionEntries = entries.filter((entry) => entry.section === section);
        return (
          <div key={section} className="pt-3">
            {section !== "" && <p className="px-2 pb-1 text-soft text-xs font-medium">{section}</p>}
            <ul className="space-y-0.5">
              {sectionEntries.map((entry) => (
                <li key={entry.to} className="relative">
                  <Link
                    to={entry.to}
                    activeOptions={{ exact: entry.to === "/", includeSearch: false }}
                    className="flex min-h-9 items-center gap-3 rounded-md px-2 text-soft hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-tint aria-[current=page]:font-medium aria-[current=page]:text-accent-strong"
                  >
                    <entry.icon aria-hidden className="size-4 shrink-0" />
                    {entry.label}
                  </Link>
                  <OpenCount count={counts[entry.to] ?? 0} />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      {/* Served beside the site, not by its router. */}
      <a
        href={reference.href}
        target="_blank"
        rel="noopener"
        className="flex min-h-9 items-center gap-3 rounded-md px-2 text-soft hover:bg-sunken hover:text-ink"
      >
        <BookText aria-hidden className="size-4 shrink-0" />
        {reference.label}
      </a>
    </nav>
  );
}
