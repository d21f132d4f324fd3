import { useSyncExternalStore } from "react";

const KEY = "corprail-theme";
export type Theme = "light" | "dark";
const listeners = new Set<() => void>();
const system = matchMedia("(prefers-color-scheme: dark)");

function chosen(): Theme | null {
  const stored = localStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : null;
}

function current(): Theme {
  return chosen() ?? (system.matches ? "dark" : "light");
}

/** Runs before the first paint, so that the page does not flash in the wrong theme. */
export function applyTheme(): void {
  document.documentElement.dataset["theme"] = current();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  system.addEventListener("change", applyTheme);
  return () => void listeners.delete(listener);
}

export function toggleTheme(): void {
  localStorage.setItem(KEY, current() === "dark" ? "light" : "dark");
  applyTheme();
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, current);
}
