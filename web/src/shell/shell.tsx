import { Outlet, useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { BookText, Keyboard, Menu as MenuIcon, Search, SunMoon } from "lucide-react";
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from "react";
import { shellText } from "../messages/en/shell.ts";
import { IconButton } from "../ui/button.tsx";
import { type Command, Palette } from "../ui/overlays/palette.tsx";
import { ShortcutsHelp, useShortcuts } from "../ui/overlays/shortcuts.tsx";
import { StepUp } from "../ui/overlays/step-up.tsx";
import { DATA_MODE } from "../ui/requests/data-mode.ts";
import { type SignedIn, useSession } from "../ui/requests/session.ts";
import { toggleTheme } from "../ui/theme.ts";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { DataModeSwitch, TestModeStrip, withoutTestData } from "./data-mode-switch.tsx";
import { entryOf, fullLabel, type MenuEntry, menuFor } from "./menu.ts";
import { MissingCellsStrip } from "./missing-cells-strip.tsx";
import { ModeBadge, TrialStrip } from "./mode.tsx";
import { OutageStrip } from "./outage-strip.tsx";
import { MenuSheet, SideMenu } from "./side-menu.tsx";
import { useSite } from "./site.ts";
import { ThemeToggle } from "./theme-toggle.tsx";

// Loaded after the sign-in: the library of its menu is large.
const UserMenu = lazy(async () => ({ default: (await import("./user-menu.tsx")).UserMenu }));

/** The menu, header and dialogs around the pages of a signed-in user. */
export function Shell(): ReactNode {
  const session = useSession();
  return session === null ? null : <Frame session={session} />;
}

type Opened = "menu" | "palette" | "help" | null;

function Frame({ session }: { readonly session: SignedIn }): ReactNode {
  const router = useRouter();
  const site = useSite();
  const { pathname } = useLocation();
  const [opened, setOpened] = useState<Opened>(null);
  const close = useCallback(() => setOpened(null), []);
  useShortcuts({ onPalette: useCallback(() => setOpened("palette"), []), onHelp: useCallback(() => setOpened("help"), []) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page change closes open dialogs.
  useEffect(close, [pathname]);
  const liveOnly = site.liveOnly ?? [];
  const hidden = [...(site.hides?.(session) ?? []), ...(DATA_MODE === "test" ? liveOnly : [])];
  const entries = menuFor(site.menu, { pages: router.routesByPath, role: session.user.role, hidden });
  return (
    <div className="min-h-dvh lg:pl-60 print:pl-0">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {shellText.skipToContent}
      </a>
      <SideMenu entries={entries} />
      <header className="top-bar sticky top-0 z-30 flex h-14 items-center gap-1 border-line border-b bg-surface px-4 lg:px-8">
        <IconButton icon={MenuIcon} label={shellText.menu} className="-ml-2 lg:hidden" onClick={() => setOpened("menu")} />
        <Breadcrumbs />
        <div className="grow" />
        <ModeBadge />
        <DataModeSwitch session={session} />
        <PaletteButton onClick={() => setOpened("palette")} />
        {site.HeaderTools && <site.HeaderTools />}
        <ThemeToggle />
        <Suspense fallback={<span className="size-10 shrink-0" />}>
          <UserMenu user={session.user} security={!hidden.includes("/security")} onHelp={() => setOpened("help")} />
        </Suspense>
      </header>
      <OutageStrip />
      <MissingCellsStrip />
      <TestModeStrip />
      <TrialStrip />
      {site.Banner && <site.Banner />}
      <main id="content" tabIndex={-1} className="mx-auto max-w-7xl px-4 py-6 outline-none lg:px-8 lg:py-8 print:max-w-none print:p-0">
        {withoutTestData(session, entryOf(site.menu, pathname)?.to, liveOnly) ?? <Outlet />}
      </main>
      {opened === "menu" && <MenuSheet entries={entries} onClose={close} />}
      {opened === "palette" && <SitePalette entries={entries} onClose={close} onHelp={() => setOpened("help")} />}
      {opened === "help" && <ShortcutsHelp onClose={close} />}
      <StepUp passwordProves={!site.secondFactorRequired} freshFor={site.freshFor} />
    </div>
  );
}

function PaletteButton({ onClick }: { readonly onClick: () => void }): ReactNode {
  return (
    <>
      <button
        type="button"
        onClick={onClick}
        className="mr-1 hidden min-h-9 w-56 items-center gap-2 rounded-md border border-line bg-sunken px-3 text-soft hover:border-line-strong md:flex"
      >
        <Search aria-hidden className="size-4" />
        <span className="grow text-left">{shellText.quickNavigation}</span>
        <kbd className="font-mono text-xs">Ctrl K</kbd>
      </button>
      <IconButton icon={Search} label={shellText.quickNavigation} className="md:hidden" onClick={onClick} />
    </>
  );
}

type PaletteProps = { readonly entries: readonly MenuEntry[]; readonly onClose: () => void; readonly onHelp: () => void };

function SitePalette({ entries, onClose, onHelp }: PaletteProps): ReactNode {
  const navigate = useNavigate();
  const { finds, useFound, reference } = useSite();
  const commands: readonly Command[] = [
    ...entries.map((entry) => ({ name: fullLabel(entry), icon: entry.icon, run: () => void navigate({ to: entry.to }) })),
    { name: reference.label, icon: BookText, run: () => void window.open(reference.href, "_blank", "noopener") },
    { name: shellText.switchTheme, icon: SunMoon, run: toggleTheme },
    { name: shellText.keyboardShortcuts, icon: Keyboard, run: onHelp },
  ];
  const search = (text: string): readonly Command[] =>
    finds
      .filter((find) => entries.some((entry) => entry.to === find.to))
      .map(({ title, to, filter }) => ({
        name: title(text),
        icon: Search,
        run: () => void navigate({ to, search: { [filter]: text } as never }),
      }));
  return <Palette commands={commands} typed={search} useFound={useFound} onClose={onClose} />;
}
