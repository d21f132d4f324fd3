import type { ReactNode } from "react";
import { useSite } from "./site.ts";

/** The Corprail logo. */
export function Mark(): ReactNode {
  const { tag } = useSite();
  return (
    <span className="inline-flex items-center gap-2 font-semibold tracking-tight">
      <svg
        viewBox="0 0 24 24"
        className="size-6 text-accent"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
      >
        <path d="M4 8h16M4 16h16" />
        <path d="M9 5v14M15 5v14" strokeOpacity="0.45" />
      </svg>
      Corprail
      {tag !== null && <span className="rounded bg-accent px-1.5 py-0.5 text-on-accent text-xs tracking-normal">{tag}</span>}
    </span>
  );
}
