import type { ReactNode } from "react";
import type { Place, Range } from "./fault-place.ts";

export type ShownFault = Range & Place & { readonly path: string; readonly message: string };

/** The errors of a description. Each leads to its place in the text. */
export function FaultList({
  faults,
  onShow,
}: {
  readonly faults: readonly ShownFault[];
  readonly onShow: (fault: ShownFault) => void;
}): ReactNode {
  if (faults.length === 0) return null;
  return (
    <ul aria-label="Errors" className="max-h-64 space-y-1 overflow-y-auto rounded-lg border border-bad/40 bg-bad-tint p-2">
      {faults.map((fault) => (
        <li key={`${fault.path} ${fault.message}`}>
          <button type="button" className="w-full rounded px-2 py-1 text-left hover:bg-surface" onClick={() => onShow(fault)}>
            <span className="text-soft text-xs tabular-nums">
              Line {fault.line}, column {fault.column}
            </span>{" "}
            {fault.path !== "" && <code className="break-all font-medium font-mono text-[0.8125rem]">{fault.path}</code>}{" "}
            <span className="break-words text-bad">{fault.message}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
