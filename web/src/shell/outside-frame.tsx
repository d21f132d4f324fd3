import { type ReactNode, useEffect } from "react";
import { LanguageLinks } from "./language-links.tsx";
import { Mark } from "./mark.tsx";
import { ModeBadge, TrialStrip } from "./mode.tsx";
import { OutageStrip } from "./outage-strip.tsx";
import { useSite } from "./site.ts";
import { ThemeToggle } from "./theme-toggle.tsx";

/** The frame of pages for visitors who are not signed in. */
export function OutsideFrame({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  const { name } = useSite();
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="top-bar flex items-center justify-between p-4 lg:px-8">
        <Mark />
        <span className="flex items-center gap-2">
          <ModeBadge />
          <LanguageLinks />
          <ThemeToggle />
        </span>
      </header>
      <OutageStrip />
      <TrialStrip />
      <main className="mx-auto w-full max-w-md grow px-4 pt-[6vh] pb-12">
        <div className="rounded-2xl border border-line bg-surface p-6 shadow-sm sm:p-8">
          <h1 className="mb-5 text-xl font-semibold tracking-tight">{title}</h1>
          {children}
        </div>
      </main>
    </div>
  );
}
