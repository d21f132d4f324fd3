import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, get, type Query } from "../../ui/api.ts";

export type Key = { readonly key_id: string; readonly name: string; readonly created_at: string };

const MOST = 200;

/** One key out of the list, which has no call for a single one. */
export async function readKey(keyId: string, signal: AbortSignal): Promise<Key> {
  let query: Query = { limit: MOST };
  for (;;) {
    const { items, next } = await get<{ items: readonly Key[]; next: string | null }>("/keys", query, signal);
    const found = items.find((key) => key.key_id === keyId);
    if (found !== undefined) return found;
    if (next === null) throw new ApiError(404, "not_found", "There is no such key, or no longer.");
    query = { limit: MOST, after: next };
  }
}

/** A change among the keys; the list is read again afterwards. */
export function useKeyChange<Answer, Given = void>(work: (given: Given) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: work, onSuccess: () => queries.invalidateQueries({ queryKey: ["/keys"] }) });
}
