import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Modal } from "../../ui/dialog.tsx";
import type { SignedIn } from "../../ui/session.ts";
import type { MenuEntry } from "../menu.ts";
import { Mark } from "./mark.tsx";

type Props = { readonly entries: readonly MenuEntry[]; readonly account: SignedIn["account"] };

const SECTIONS = ["", "API", "Integration", "Account"] as const;

/** Stands beside the page where there is room for it. */
export function SideMenu({ entries, account }: Props): ReactNode {
  return (
    <aside
      aria-label="Account and menu"
      className="fixed inset-y-0 left-0 z-40 hidden w-60 flex-col border-line border-r bg-surface lg:flex"
    >
      <Account account={account} />
      <Entries entries={entries} />
    </aside>
  );
}

/** The same menu as a sheet, for phones. */
export function MenuSheet({ entries, account, onClose }: Props & { readonly onClose: () => void }): ReactNode {
  return (
    <Modal label="Menu" onClose={onClose} className="m-0 h-dvh max-h-dvh w-72 border-line border-r">
      <div className="flex h-full flex-col">
        <div className="flex items-start justify-between">
          <Account account={account} />
          <IconButton icon={X} label="Close" onClick={onClose} className="m-2" />
        </div>
        <Entries entries={entries} />
      </div>
    </Modal>
  );
}

function Account({ account }: { readonly account: SignedIn["account"] }): ReactNode {
  return (
    <div className="min-w-0 space-y-3 px-5 pt-4 pb-3">
      <Mark />
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 truncate font-semibold" title={account.name}>
          {account.name}
        </span>
        <Badge tone={account.sandbox ? "wait" : "accent"}>{account.sandbox ? "Sandbox" : "Live"}</Badge>
      </div>
    </div>
  );
}

function Entries({ entries }: { readonly entries: readonly MenuEntry[] }): ReactNode {
  return (
    <nav aria-label="Main" className="grow overflow-y-auto px-3 pb-6">
      {SECTIONS.map((section) => {
        const own = entries.filter((entry) => entry.section === section);
        if (own.length === 0) return null;
        return (
          <div key={section} className="pt-3">
            {section !== "" && <p className="px-2 pb-1 text-soft text-xs font-medium">{section}</p>}
            <ul className="space-y-0.5">
              {own.map((entry) => (
                <li key={entry.to}>
                  <Link
                    to={entry.to}
                    activeOptions={{ exact: entry.to === "/", includeSearch: false }}
                    className="flex min-h-9 items-center gap-3 rounded-md px-2 text-soft hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-tint aria-[current=page]:font-medium aria-[current=page]:text-accent-strong"
                  >
                    <entry.icon aria-hidden className="size-4 shrink-0" />
                    {entry.label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}
