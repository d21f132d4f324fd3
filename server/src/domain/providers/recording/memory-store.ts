import type { StateStore } from "@corprail/connector";

/** What a plug-in keeps during one recording or replay. */
export function memoryStore(): StateStore {
  const held = new Map<string, string>();
  return {
    get: async (name) => held.get(name) ?? null,
    set: async (name, value) => void held.set(name, value),
    delete: async (name) => void held.delete(name),
  };
}
