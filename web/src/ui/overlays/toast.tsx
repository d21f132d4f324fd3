import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { uiText } from "../../messages/en/ui.ts";
import { fill } from "../../messages/fill.ts";
import { IconButton } from "../button.tsx";
import { classes } from "../classes.ts";
import { ApiError } from "../requests/api.ts";
import { useTopModal } from "./modal-stack.ts";

type Toast = { readonly id: number; readonly tone: "good" | "bad"; readonly text: string };
// An error takes longer to read, and its request id may have to be copied.
const SHOWN_MILLISECONDS = { good: 6_000, bad: 20_000 } as const;
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
  setTimeout(() => dismiss(id), SHOWN_MILLISECONDS[tone]);
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

/** Shows a success message. */
export function toast(text: string): void {
  show("good", text);
}

/** Shows an error message; for react-query's `onError`. */
export function toastError(error: unknown): void {
  const id = error instanceof ApiError && error.requestId !== null ? fill(uiText.inRequest, { requestId: error.requestId }) : "";
  show("bad", error instanceof ApiError ? `${error.message}${id}` : uiText.somethingWentWrongOnThis);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Shows the toasts. A popover inside the open dialog, so that they are above it and can be dismissed. At the bottom left,
 * because headings and tabs are at the top and the buttons of drawers at the right; on a phone above those buttons, and only
 * the latest one.
 */
export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const area = useRef<HTMLDivElement>(null);
  const modal = useTopModal();
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another dialog the area is a new element.
  useEffect(() => {
    const element = area.current;
    // A dialog that closes takes the area with it; the next one is shown when it is there.
    if (!element?.isConnected) return;
    if (element.matches(":popover-open")) element.hidePopover();
    if (shown.length > 0) element.showPopover();
  }, [shown, modal]);
  const toastArea = (
    <div
      ref={area}
      popover="manual"
      className="fixed inset-x-4 top-auto bottom-20 m-0 w-auto max-w-md space-y-2 bg-transparent p-0 lg:right-auto lg:bottom-4 lg:left-4 lg:w-80"
      aria-live="polite"
    >
      {shown.map((entry) => (
        <div
          key={entry.id}
          className={classes(
            "enter-up flex items-start gap-2 rounded-lg border bg-raised py-1 pr-1 pl-4 text-ink shadow-lg max-sm:not-last:hidden",
            entry.tone === "bad" ? "border-bad/60" : "border-good/60",
          )}
        >
          <p className="min-w-0 grow break-words py-2.5">
            <span className={classes("mr-2 font-semibold", entry.tone === "bad" ? "text-bad" : "text-good")}>
              {entry.tone === "bad" ? uiText.error : uiText.doneSentence}
            </span>
            {entry.text}
          </p>
          <IconButton icon={X} label={uiText.dismiss} className="shrink-0" onClick={() => dismiss(entry.id)} />
        </div>
      ))}
    </div>
  );
  return modal === null ? toastArea : createPortal(toastArea, modal);
}
