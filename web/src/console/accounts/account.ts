import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { get, post } from "../api.ts";

export type Account = Schemas["Account"];

export function accountQuery(accountId: string) {
  return queryOptions({
    queryKey: ["/accounts", accountId],
    queryFn: ({ signal }) => get("/accounts/:account_id", { account_id: accountId }, signal),
  });
}

/** Posts a change of an account and reads accounts again. A response that is the account updates the page at once. */
export function useAccountPost(): typeof post {
  const queries = useQueryClient();
  return async (path, ...args) => {
    const answer = await post(path, ...args);
    if (isAccount(answer)) queries.setQueryData(accountQuery(answer.account_id).queryKey, answer);
    await queries.invalidateQueries({ queryKey: ["/accounts"] });
    return answer;
  };
}

function isAccount(answer: unknown): answer is Account {
  return typeof answer === "object" && answer !== null && "account_id" in answer && "standing" in answer;
}

/** Display names of the services. */
export const SERVICE_NAMES: Readonly<Record<string, string>> = {
  recharge: "Recharge",
  bills: "Bill payments",
  transfers: "Money transfer",
  bus: "Bus booking",
  aeps: "AEPS",
};
