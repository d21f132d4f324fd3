/** Live accounts, or the sandbox accounts with which clients test. */
export type DataMode = "live" | "test";

export function readDataMode(search: string): DataMode {
  return new URLSearchParams(search).get("mode") === "test" ? "test" : "live";
}

/**
 * The mode of this page, from its address. It never changes while the page is loaded: a change of mode loads the page again,
 * so that data of one mode cannot be shown, and actions cannot be sent, in the other.
 */
export const DATA_MODE: DataMode = typeof location === "undefined" ? "live" : readDataMode(location.search);

/** The address of a page of this site in a mode. `to` is a path of the menu, such as /transactions. */
export function pageInMode(to: string, mode: DataMode): string {
  return `${import.meta.env.BASE_URL}${to.slice(1)}${mode === "test" ? "?mode=test" : ""}`;
}

/** This page's own address in a mode, with its filters. */
export function thisPageInMode(mode: DataMode): string {
  const search = new URLSearchParams(location.search);
  search.delete("mode");
  if (mode === "test") search.set("mode", "test");
  return `${location.pathname}${search.size === 0 ? "" : `?${search.toString()}`}`;
}
