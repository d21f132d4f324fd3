import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

export type Part = {
  readonly to: string;
  readonly label: ReactNode;
  /** For parts that differ in a search parameter instead of the path. */
  readonly search?: Readonly<Record<string, string>>;
  /** Marks the link as current only on its exact path, not on paths below it. */
  readonly exact?: boolean;
};

/** Navigation between the parts of a page. Each part has its own URL. */
export function PartNav({ label, parts }: { readonly label: string; readonly parts: readonly Part[] }): ReactNode {
  return (
    <nav aria-label={label} className="mb-6 flex flex-wrap gap-x-1 border-line border-b">
      {parts.map(({ to, label: name, search, exact = false }) => (
        <Link
          key={`${to} ${JSON.stringify(search)}`}
          to={to}
          {...(search === undefined ? {} : { search: search as never })}
          activeOptions={{ exact, includeSearch: search !== undefined }}
          className="-mb-px flex min-h-10 items-center gap-2 whitespace-nowrap border-transparent border-b-2 px-3 font-medium text-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink focus-visible:-outline-offset-2"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
