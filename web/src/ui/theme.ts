import { useSyncExternalStore } from "react";

const KEY = "corprail-theme";
export type Theme = "light" | "dark";
const listeners = new Set<() => void>();
const system = matchMedia("(prefers-color-scheme: dark)");

function chosen(): Theme | null {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : null;
}

function current(): Theme {
  return chosen() ?? (system.matches ? "dark" : "light");
}

/** Before the first paint, so that nothing flashes. */
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
