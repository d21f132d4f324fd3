import type { ReactNode } from "react";
import { useMissingCells } from "../ui/requests/missing-cells.ts";

/** Shown above a page while lists lack the records of a cell whose database does not answer. */
export function MissingCellsStrip(): ReactNode {
  const text = useMissingCells();
  if (text === null) return null;
  return (
    <p role="status" className="bg-wait-tint px-4 py-2 text-center font-medium text-wait lg:px-8 print:hidden">
      {text}
    </p>
  );
}
