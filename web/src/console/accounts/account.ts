import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { get, post } from "../../ui/api.ts";

export type Account = {
  readonly account_id: string;
  readonly name: string;
  readonly sandbox: boolean;
  readonly standing: "active" | "paused" | "inactive";
  readonly kyc: "verified" | "pending";
  readonly agreement: "signed" | "pending";
  readonly wallet: "active" | "suspended";
  readonly signing_required: boolean;
  readonly money_per_minute: number;
  readonly get_per_minute: number;
  readonly daily_limit: string | null;
  readonly services: Readonly<Record<string, boolean>>;
  readonly allowlist: readonly string[];
  readonly callback_url: string | null;
  readonly complaint_callback_url: string | null;
  readonly callback_version: 2 | 3;
  readonly callbacks_paused: boolean;
  readonly signing_secrets: readonly { readonly credential_id: string; readonly created_at: string; readonly expires_at: string | null }[];
  readonly callback_secret_set: boolean;
  readonly balance: string;
  readonly held: string;
  readonly created_at: string;
  readonly closed_at: string | null;
};

export function accountQuery(accountId: string) {
  return queryOptions({
    queryKey: ["/accounts", accountId],
    queryFn: ({ signal }) => get<Account>(`/accounts/${accountId}`, {}, signal),
  });
}

/** Posts to a path below the account. A response that is the account updates the page. */
export function useAccountPost(accountId: string) {
  const queries = useQueryClient();
  return async <Answer = Account>(path: string, body: object = {}): Promise<Answer> => {
    const answer = await post<Answer>(`/accounts/${accountId}${path}`, body);
    const isAccount = typeof answer === "object" && answer !== null && "account_id" in answer;
    if (isAccount) queries.setQueryData(accountQuery(accountId).queryKey, answer as unknown as Account);
    await queries.invalidateQueries({ queryKey: ["/accounts"] });
    return answer;
  };
}

/** Display names of the services. */
export const SERVICE_NAMES: Readonly<Record<string, string>> = {
  recharge: "Recharge",
  bills: "Bill payments",
  transfers: "Money transfer",
  bus: "Bus tickets",
  aeps: "AEPS",
};
