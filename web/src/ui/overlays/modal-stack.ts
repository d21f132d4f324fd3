import { useSyncExternalStore } from "react";

// The open modal dialogs, the topmost last. What is outside it cannot be clicked, so messages are shown inside.
let stack: readonly HTMLElement[] = [];
const listeners = new Set<() => void>();

function change(next: readonly HTMLElement[]): void {
  stack = next;
  for (const listener of listeners) listener();
}

/** Notes that a modal dialog was opened; the result notes that it was closed. */
export function enterModal(dialog: HTMLElement): () => void {
  change([...stack, dialog]);
  return () => change(stack.filter((other) => other !== dialog));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The topmost modal dialog; null when none is open. */
export function useTopModal(): HTMLElement | null {
  return useSyncExternalStore(subscribe, () => stack.at(-1) ?? null);
}
