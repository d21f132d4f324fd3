import { Link, useLocation } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { shellText } from "../messages/en/shell.ts";
import { serverText } from "../messages/server-text.ts";
import { classes } from "../ui/classes.ts";
import { entryOf, fullLabel } from "./menu.ts";
import { useSite } from "./site.ts";

/** The current position in the menu, such as "API › Credentials", and the open row. Also sets the tab's title. */
export function Breadcrumbs(): ReactNode {
  const { pathname } = useLocation();
  const site = useSite();
  const entry = entryOf(site.menu, pathname);
  const detail = entry === undefined || entry.to === "/" ? "" : detailOf(pathname.slice(entry.to.length + 1));
  const name = entry === undefined ? site.name : `${fullLabel(entry)} · ${site.name}`;
  useEffect(() => {
    document.title = detail === "" ? name : `${detail} · ${name}`;
  }, [name, detail]);
  if (entry === undefined) return null;
  return (
    // On a phone only the way back is shown: the heading below names the page.
    <nav aria-label={shellText.breadcrumbs} className={classes("min-w-0", detail === "" && "max-sm:hidden")}>
      <ol className="flex items-center gap-1.5 whitespace-nowrap text-soft">
        {entry.namedAfterSection && <Crumb>{entry.section}</Crumb>}
        {detail === "" ? (
          <Crumb last>{entry.label}</Crumb>
        ) : (
          <>
            <Crumb before="wide">
              <Link to={entry.to} search className="inline-flex min-h-9 min-w-0 items-center hover:text-ink">
                {/* Beside the buttons of a phone's top bar only one letter of the name would be left. */}
                <ChevronLeft aria-hidden className="size-5 sm:hidden" />
                <span className="truncate max-sm:sr-only">{entry.label}</span>
              </Link>
            </Crumb>
            {/* A phone has no space for it; the page or drawer below has its name as heading. */}
            <Crumb last className="max-sm:hidden">
              {detail}
            </Crumb>
          </>
        )}
      </ol>
    </nav>
  );
}

/** "audit/17" → "Audit 17"; an id alone is unchanged. */
function detailOf(rest: string): string {
  return decodeURIComponent(rest)
    .split("/")
    .map((part) => (/^[a-z-]+$/.test(part) ? serverText(part.charAt(0).toUpperCase() + part.slice(1)) : part))
    .join(" ");
}

type CrumbProps = {
  readonly children: ReactNode;
  readonly last?: boolean;
  /** Where another crumb follows: on every screen, or on wide ones only. */
  readonly before?: "all" | "wide";
  readonly className?: string;
};

function Crumb({ children, last = false, before = "all", className }: CrumbProps): ReactNode {
  if (last) {
    return (
      <li aria-current="page" className={classes("min-w-0 truncate font-medium text-ink", className)}>
        {children}
      </li>
    );
  }
  return (
    <li className="flex min-w-0 items-center gap-1.5">
      {children}
      <ChevronRight aria-hidden className={classes("size-3.5 shrink-0", before === "wide" && "max-sm:hidden")} />
    </li>
  );
}
