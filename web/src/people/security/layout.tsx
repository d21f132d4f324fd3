import { Link, Outlet } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageHeader } from "../../ui/page.tsx";

type Props = { readonly parts: readonly { readonly to: string; readonly label: string }[]; readonly children: ReactNode };

/** The head of the security pages and the way between them. */
export function SecurityLayout({ parts, children }: Props): ReactNode {
  return (
    <>
      <PageHeader title="Security">{children}</PageHeader>
      <nav aria-label="Security" className="mb-6 flex gap-1 border-line border-b">
        {parts.map((part) => (
          <Link
            key={part.to}
            to={part.to}
            activeOptions={{ exact: part.to === "/security" }}
            className="-mb-px flex min-h-10 items-center whitespace-nowrap border-transparent border-b-2 px-3 font-medium text-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
          >
            {part.label}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}
