import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { ApiError } from "../../ui/requests/api.ts";
import { get } from "../api.ts";
import { ROLE_NAMES, ROLES } from "../roles.ts";

export type Key = Schemas["OperatorKey"];

/** What a key with this role may do, in the words of the staff roles. */
export function accessText(role: string | null): string {
  const known = ROLES.find((one) => one === role);
  return known === undefined ? (role ?? "Every call") : ROLE_NAMES[known];
}

/** What a key may do now, which its creator's role and state limit too. */
export function effectiveAccessText({ effective_roles: roles, creator_disabled: isDisabled }: Key): string {
  if (isDisabled) return "None while its creator is disabled";
  const [first = null, second] = roles;
  return second === undefined ? accessText(first) : `What ${accessText(first)} and ${accessText(second)} may both do`;
}

const PAGE_SIZE = "200";

/** The start of the query keys of what is read from the list of keys. */
export const OPERATOR_KEYS = ["/keys"] as const;

/** Reads all operator keys. */
export async function readKeys(signal: AbortSignal): Promise<readonly Key[]> {
  const keys: Key[] = [];
  let query: { readonly limit: string; readonly after?: string } = { limit: PAGE_SIZE };
  for (;;) {
    const { items, next } = await get("/keys", query, signal);
    keys.push(...items);
    if (next === null) return keys;
    query = { limit: PAGE_SIZE, after: next };
  }
}

/** Finds a key in the list, because the API has no call for a single key. */
export async function readKey(keyId: string, signal: AbortSignal): Promise<Key> {
  const found = (await readKeys(signal)).find((key) => key.key_id === keyId);
  if (found === undefined) throw new ApiError(404, "not_found", "This key was not found. It may have been deleted.");
  return found;
}

/** A change to the keys; the list is read again afterwards. */
export function useKeyChange<Answer, Input = void>(work: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: work, onSuccess: () => queries.invalidateQueries({ queryKey: OPERATOR_KEYS }) });
}
