import type { ReactNode } from "react";
import { useOutage } from "../ui/outage.ts";

/** Stands above a page while the service cannot be used: what is shown may be old. */
export function OutageStrip(): ReactNode {
  const trouble = useOutage();
  if (trouble === null) return null;
  return (
    <p role="status" className="bg-bad-tint px-4 py-2 text-center font-medium text-bad lg:px-8 print:hidden">
      {trouble} This page does so by itself every few seconds.
    </p>
  );
}
