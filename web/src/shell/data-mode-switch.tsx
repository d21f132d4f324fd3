import { useLocation } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import { shellText } from "../messages/en/shell.ts";
import { classes } from "../ui/classes.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Card } from "../ui/page.tsx";
import { DATA_MODE, type DataMode, pageInMode } from "../ui/requests/data-mode.ts";
import type { SignedIn } from "../ui/requests/session.ts";
import { entryOf } from "./menu.ts";
import { useSite } from "./site.ts";

const LABELS: readonly (readonly [DataMode, string])[] = [
  ["live", shellText.live],
  ["test", shellText.test],
];

/** Switches the whole site between live and test data. Plain links, because the page must be loaded again. */
export function DataModeSwitch({ session }: { readonly session: SignedIn }): ReactNode {
  const { pathname } = useLocation();
  const { menu } = useSite();
  // An open row belongs to one mode, so the switch leads to its list.
  const to = entryOf(menu, pathname)?.to ?? "/";
  // A sandbox account has test data only.
  if (session.account?.sandbox) return null;
  return (
    <nav aria-label={shellText.liveOrTestData} className="mx-1 flex shrink-0 rounded-md border border-line bg-sunken p-0.5 text-xs">
      {LABELS.map(([mode, label]) => (
        <a
          key={mode}
          href={pageInMode(to, mode)}
          aria-current={mode === DATA_MODE ? "true" : undefined}
          className={classes(
            "inline-flex min-h-8 items-center rounded px-2.5 font-medium text-soft hover:text-ink",
            mode === DATA_MODE && (mode === "test" ? "bg-wait-tint text-wait" : "bg-surface text-ink shadow-sm ring-1 ring-line-strong"),
          )}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

/** Says below the header that the pages show test data. */
export function TestModeStrip(): ReactNode {
  if (DATA_MODE === "live") return null;
  return (
    <p className="border-wait/40 border-b bg-wait-tint px-4 py-1.5 text-center font-medium text-wait print:hidden">
      {shellText.testModeSandboxDataOnly}
    </p>
  );
}

/** What is shown instead of a page that has no test data; null if the page has some. */
export function withoutTestData(session: SignedIn, menuPath: string | undefined, liveOnly: readonly string[]): ReactNode {
  if (DATA_MODE === "live" || menuPath === undefined) return null;
  if (liveOnly.includes(menuPath))
    return (
      <NoTestData>
        {shellText.thisPageIsAboutThe}
        <a className="link" href={pageInMode(menuPath, "live")}>
          {shellText.openItInLiveMode}
        </a>
      </NoTestData>
    );
  if (session.account === undefined || session.account.sandbox || session.account.sandbox_id !== null || menuPath === "/sandbox")
    return null;
  return (
    <NoTestData>
      {shellText.testTransactionsWillAppearHere}
      <a className="link" href={pageInMode("/sandbox", "test")}>
        {shellText.createTheSandbox}
      </a>
    </NoTestData>
  );
}

function NoTestData({ children }: { readonly children: readonly ReactNode[] }): ReactNode {
  const [text, link] = children;
  return (
    <Card>
      <EmptyState icon={FlaskConical} action={link}>
        {text}
      </EmptyState>
    </Card>
  );
}
