import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

export type Part = {
  readonly to: string;
  readonly label: ReactNode;
  /** Where parts are told apart by a search param instead of a path. */
  readonly search?: Readonly<Record<string, string>>;
  /** Of parts below each other only the page itself is the current one. */
  readonly exact?: boolean;
};

/** The way between the parts of a page; each has an address. */
export function PartNav({ label, parts }: { readonly label: string; readonly parts: readonly Part[] }): ReactNode {
  return (
    <nav aria-label={label} className="mb-6 flex gap-1 overflow-x-auto border-line border-b">
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
