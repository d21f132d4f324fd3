import type { ReactNode } from "react";
import { uiText } from "../messages/en/ui.ts";
import { classes } from "./classes.ts";

/** A grey placeholder bar of the size of the content that is loading. */
export function Skeleton({ className }: { readonly className?: string }): ReactNode {
  return <span aria-hidden className={classes("pulse inline-block h-4 w-full align-middle", className)} />;
}

export function SkeletonCard({ lines = 3 }: { readonly lines?: number }): ReactNode {
  return (
    <div className="space-y-3 rounded-xl border border-line bg-surface p-5">
      <span role="status" className="sr-only">
        {uiText.loading}
      </span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are identical.
        <Skeleton key={line} className={line === 0 ? "w-1/3" : "w-full"} />
      ))}
    </div>
  );
}
