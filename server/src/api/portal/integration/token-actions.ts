import { z } from "zod";
import { changeToken, createToken, makePrimary, revokeToken } from "../../../domain/accounts/credentials/manage-tokens.ts";
import { TOKEN_SCOPES } from "../../../domain/accounts/credentials/token-scopes.ts";
import { conflict, noSuch, type Refusal } from "../../sites/actions/refusal.ts";
import { tokenViews } from "../../sites/outputs/token-view.ts";
import { BUILDERS } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { actorOf, id, moment } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import type { Session } from "../session.ts";
import { createdTokenOutput, tokensOutput } from "./outputs.ts";

const MAX_NAME_CHARACTERS = 60;
const name = z
  .string()
  .trim()
  .min(1, "Must not be empty.")
  .max(MAX_NAME_CHARACTERS, `Must have at most ${MAX_NAME_CHARACTERS} characters.`)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "Must not contain control characters.");
const expiry = moment.transform((milliseconds) => new Date(milliseconds)).nullable();
const tokenInput = z.strictObject({ token_id: id });

const tokenChange = { roles: BUILDERS, proof: "recent" } as const;

const addToken = action({
  ...tokenChange,
  path: "POST /credentials/tokens",
  summary: "Creates an additional API token and shows it once.",
  input: z.strictObject({
    name,
    scopes: z
      .array(z.enum(TOKEN_SCOPES, `Must be one of ${TOKEN_SCOPES.join(", ")}.`))
      .min(1, "Choose at least one.")
      .nullable(),
    read_only: z.boolean().default(false),
    expires_at: expiry.default(null),
  }),
  output: createdTokenOutput,
  handler: async ({ deps, session, input }) => {
    const { name, scopes, read_only: readOnly, expires_at: expiresAt } = input;
    const created = await createToken(deps, actorOf(session), { accountId: session.accountId, name, scopes, readOnly, expiresAt });
    if (created.kind === "done") return { token_id: created.tokenId, api_token: created.apiToken };
    return created.kind === "conflict" ? conflict(created.reason) : noSuch("account");
  },
});

const editToken = action({
  ...tokenChange,
  path: "POST /credentials/tokens/:token_id",
  summary: "Renames an API token or sets when it expires.",
  input: tokenInput.extend({ name: name.optional(), expires_at: expiry.optional() }),
  output: tokensOutput,
  handler: async ({ deps, session, input }) => {
    const change = { ...target(session, input), name: input.name, expiresAt: input.expires_at };
    return await tokensAfter(deps, session, await changeToken(deps, actorOf(session), change));
  },
});

const endToken = action({
  ...tokenChange,
  path: "POST /credentials/tokens/:token_id/revoke",
  summary: "Revokes an additional API token. It stops working at once.",
  input: tokenInput,
  output: tokensOutput,
  handler: async ({ deps, session, input }) =>
    await tokensAfter(deps, session, await revokeToken(deps, actorOf(session), target(session, input))),
});

const choosePrimary = action({
  ...tokenChange,
  path: "POST /credentials/tokens/:token_id/primary",
  summary: "Makes an API token the key of version 2 callbacks. The previous one keeps working for requests.",
  input: tokenInput,
  output: tokensOutput,
  handler: async ({ deps, session, input }) =>
    await tokensAfter(deps, session, await makePrimary(deps, actorOf(session), target(session, input))),
});

function target({ accountId }: Session, { token_id: tokenId }: z.output<typeof tokenInput>) {
  return { accountId, tokenId };
}

type Changed = Awaited<ReturnType<typeof revokeToken>>;

async function tokensAfter(deps: PortalContext, { accountId }: Session, result: Changed): Promise<z.output<typeof tokensOutput> | Refusal> {
  if (result.kind === "conflict") return conflict(result.reason);
  return result.kind === "not_found" ? noSuch("token") : { tokens: await tokenViews(deps, accountId) };
}

/** The named API tokens of an account. */
export const tokenActions: readonly PortalAction[] = [addToken, editToken, endToken, choosePrimary];
