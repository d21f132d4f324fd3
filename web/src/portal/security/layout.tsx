import { Link, Outlet } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageHeader } from "../../ui/page.tsx";

const PARTS = [
  { to: "/security", label: "Signing in" },
  { to: "/security/sessions", label: "Sessions" },
  { to: "/security/audit", label: "Audit" },
] as const;

export function SecurityLayout(): ReactNode {
  return (
    <>
      <PageHeader title="Security">How you sign in, where you are signed in, and who changed what.</PageHeader>
      <nav aria-label="Security" className="mb-6 flex gap-1 border-line border-b">
        {PARTS.map((part) => (
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
