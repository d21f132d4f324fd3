import { classes } from "./classes.ts";

/** Classes of a small button or link that is one of several choices. */
export function chipClasses(isChosen: boolean): string {
  return classes(
    "inline-flex min-h-9 items-center rounded-md border px-3",
    isChosen ? "border-accent bg-accent-tint font-medium text-accent-strong" : "border-line bg-surface text-soft hover:text-ink",
  );
}
