import type { ReactNode } from "react";
import { shellText } from "../messages/en/shell.ts";
import { fill } from "../messages/fill.ts";
import { useOutage } from "../ui/requests/outage.ts";

/** Shown above a page while the service is unavailable, because the page may be out of date. */
export function OutageStrip(): ReactNode {
  const trouble = useOutage();
  if (trouble === null) return null;
  return (
    <p role="status" className="bg-bad-tint px-4 py-2 text-center font-medium text-bad lg:px-8 print:hidden">
      {fill(shellText.thisPageRetriesEveryFew, { trouble })}
    </p>
  );
}
