import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { ApiError } from "./api.ts";
import { classes } from "./classes.ts";

type Toast = { readonly id: number; readonly tone: "good" | "bad"; readonly text: string };
const SHOWN_MILLISECONDS = 6000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function show(tone: Toast["tone"], text: string): void {
  lastId += 1;
  const id = lastId;
  change([...toasts.slice(-3), { id, tone, text }]);
  setTimeout(() => change(toasts.filter((toast) => toast.id !== id)), SHOWN_MILLISECONDS);
}

/** Shows a success message. */
export function toast(text: string): void {
  show("good", text);
}

/** Shows an error message; for react-query's `onError`. */
export function toastError(error: unknown): void {
  const id = error instanceof ApiError && error.requestId !== null ? ` (request ${error.requestId})` : "";
  show("bad", error instanceof ApiError ? `${error.message}${id}` : "Something went wrong on this page. Reload it and try again.");
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Shows the toasts. A popover, so that they appear above an open dialog. */
export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = area.current;
    if (element?.matches(":popover-open")) element.hidePopover();
    if (shown.length > 0) element?.showPopover();
  }, [shown]);
  return (
    <div
      ref={area}
      popover="manual"
      className="fixed inset-auto right-4 bottom-4 left-4 m-0 ml-auto max-w-sm space-y-2 bg-transparent p-0"
      aria-live="polite"
    >
      {shown.map((entry) => (
        <p
          key={entry.id}
          className={classes(
            "enter-up rounded-lg border bg-raised px-4 py-3 text-ink shadow-lg",
            entry.tone === "bad" ? "border-bad/60" : "border-good/60",
          )}
        >
          <span className={classes("mr-2 font-semibold", entry.tone === "bad" ? "text-bad" : "text-good")}>
            {entry.tone === "bad" ? "Error." : "Done."}
          </span>
          {entry.text}
        </p>
      ))}
    </div>
  );
}
