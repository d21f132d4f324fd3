import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { get, post } from "../../ui/api.ts";

export type Account = Schemas["Account"];

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
