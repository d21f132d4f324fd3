import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { get, post } from "../../ui/api.ts";
import { toastError } from "../../ui/toast.tsx";
import type { Transaction } from "../transactions/data.ts";

export type SandboxAccount = {
  readonly account_id: string;
  readonly balance: string;
  readonly held: string;
  readonly callback_url: string | null;
  readonly complaint_callback_url: string | null;
  readonly allowlist: readonly string[];
  readonly created_at: string;
};

export type Ending = { readonly digits: string; readonly meaning: string };
type Sandbox = {
  readonly sandbox_account: SandboxAccount | null;
  readonly endings: readonly Ending[];
  readonly orders: readonly Transaction[];
};

const REFRESH_MILLISECONDS = 2000;

export const sandboxQuery = queryOptions({
  queryKey: ["/sandbox"],
  queryFn: ({ signal }) => get<Sandbox>("/sandbox", {}, signal),
  refetchInterval: ({ state }) => (state.data?.sandbox_account ? REFRESH_MILLISECONDS : false),
});

/** A change to the sandbox, which is read again afterwards. */
export function useSandboxChange<Answer = unknown>() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ path, body = {} }: { readonly path: string; readonly body?: object }) => post<Answer>(`/sandbox${path}`, body),
    onError: toastError,
    onSettled: () => queries.invalidateQueries({ queryKey: sandboxQuery.queryKey }),
  });
}
