import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../portal-api.ts";
import { toastError } from "../../ui/overlays/toast.tsx";
import { get } from "../api.ts";

export type SandboxAccount = Schemas["SandboxAccount"];
export type SimulatedResult = Schemas["SimulatedResult"];

const REFRESH_MILLISECONDS = 2000;

export const sandboxQuery = queryOptions({
  queryKey: ["/sandbox"],
  queryFn: ({ signal }) => get("/sandbox", {}, signal),
  refetchInterval: ({ state }) => (state.data?.sandbox_account ? REFRESH_MILLISECONDS : false),
});

/** A change to the sandbox, which is read again afterwards. */
export function useSandboxChange<Answer, Input = void>(work: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: work,
    onError: toastError,
    onSettled: () => queries.invalidateQueries({ queryKey: sandboxQuery.queryKey }),
  });
}
