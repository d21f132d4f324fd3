import type { StateStore } from "../plugin.ts";

/** What a plug-in stores, kept in memory: for tests, recordings and replays. */
export function memoryStore(): StateStore {
  const values = new Map<string, string>();
  return {
    get: async (name) => values.get(name) ?? null,
    set: async (name, value) => void values.set(name, value),
    delete: async (name) => void values.delete(name),
  };
}
