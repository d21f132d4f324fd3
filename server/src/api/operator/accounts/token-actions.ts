import { z } from "zod";
import { revokeToken } from "../../../domain/accounts/credentials/manage-tokens.ts";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { tokenOutput, tokenViews } from "../../sites/outputs/token-view.ts";
import { ADMINS, EVERYBODY } from "../access.ts";
import { type Action, action } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { accountParams, id, noBody } from "../fields.ts";
import { conflict, noSuch, type Refusal } from "../refusal.ts";

const tokensOutput = z.strictObject({ items: z.array(tokenOutput).readonly() }).meta({ id: "ApiTokens" });

const listTokens = action({
  path: "GET /accounts/:account_id/tokens",
  summary: "Lists an account's API tokens, without their values.",
  roles: EVERYBODY,
  params: accountParams,
  output: tokensOutput,
  handler: async ({ deps, params: { account_id: accountId } }) =>
    (await readAccount(deps, accountId)) ? await tokensOf(deps, accountId) : noSuch("account"),
});

const endToken = action({
  path: "POST /accounts/:account_id/tokens/:token_id/revoke",
  summary: "Revokes an additional API token of an account. It stops working at once.",
  roles: ADMINS,
  proof: "recent",
  params: accountParams.extend({ token_id: id }),
  body: noBody,
  output: tokensOutput,
  handler: async ({ deps, actor, params: { account_id: accountId, token_id: tokenId }, body: { reason } }): Promise<Tokens | Refusal> => {
    const result = await revokeToken(deps, actor, { accountId, tokenId, reason });
    if (result.kind === "conflict") return conflict(result.reason);
    return result.kind === "not_found" ? noSuch("token") : await tokensOf(deps, accountId);
  },
});

type Tokens = z.output<typeof tokensOutput>;

async function tokensOf(deps: OperatorApiDependencies, accountId: string): Promise<Tokens> {
  return { items: await tokenViews(deps, accountId) };
}

/** The API tokens of an account, as staff see them. */
export const tokenActions: readonly Action[] = [listTokens, endToken];
