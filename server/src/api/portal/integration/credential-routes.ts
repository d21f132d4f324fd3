import { z } from "zod";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { readCurrentSecrets } from "../../../domain/accounts/read-secrets.ts";
import { replaceSigningSecret } from "../../../domain/accounts/replace-signing-secret.ts";
import { replaceToken } from "../../../domain/accounts/replace-token.ts";
import { revokeOldSigningSecrets } from "../../../domain/accounts/revoke-old-signing-secrets.ts";
import { signingRequiredBy } from "../../../domain/accounts/signing-required-by.ts";
import { countSigned, readUsage } from "../../../domain/api-log/read-usage.ts";
import { actorOf, changeFault, notFound, nothing, time } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import { BUILDERS, EVERYBODY, type Fault, fault, json, memberRoute, type PortalAnswer, type PortalRoute } from "../route.ts";
import type { Session } from "../session.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;

// Each secret is shown once, by the call that makes it; nothing reads it back.
export function credentialRoutes(ctx: PortalContext): readonly PortalRoute[] {
  const common = { who: BUILDERS, stepUp: true, input: nothing } as const;
  return [
    memberRoute({
      method: "GET",
      path: "/credentials",
      does: "Which token and secrets there are, and when each was last used.",
      who: EVERYBODY,
      input: nothing,
      handle: ({ session }) => showCredentials(ctx, session.accountId),
    }),
    memberRoute({
      ...common,
      method: "POST",
      path: "/credentials/token",
      does: "Replaces the API token; the old one ends at once.",
      handle: async ({ session }) => {
        const result = await replaceToken(ctx, actorOf(session), { accountId: session.accountId });
        return result.kind === "done" ? json({ api_token: result.apiToken }) : notFound("account");
      },
    }),
    memberRoute({
      ...common,
      method: "POST",
      path: "/credentials/signing-secret",
      does: "Creates or replaces the signing secret; the old one works for 24 hours.",
      handle: async ({ session }) => {
        const result = await replaceSigningSecret(ctx, actorOf(session), { accountId: session.accountId });
        return result.kind === "done" ? json({ signing_secret: result.signingSecret }) : notFound("account");
      },
    }),
    memberRoute({
      ...common,
      method: "POST",
      path: "/credentials/signing-secret/revoke-old",
      does: "Ends replaced signing secrets that still work.",
      handle: async ({ session }) => {
        const result = await revokeOldSigningSecrets(ctx, actorOf(session), { accountId: session.accountId });
        return changeFault(result) ?? (await showCredentials(ctx, session.accountId));
      },
    }),
    memberRoute({
      ...common,
      method: "POST",
      path: "/credentials/signing-required",
      does: "Whether every call must be signed, recharge included.",
      input: z.strictObject({ required: z.boolean() }),
      handle: async ({ session, input }) => {
        const refusal = await signingFault(ctx, session, input.required);
        if (refusal) return refusal;
        const result = await changeAccount(ctx, actorOf(session), { accountId: session.accountId, signingRequired: input.required });
        return changeFault(result) ?? (await showCredentials(ctx, session.accountId));
      },
    }),
  ];
}

/** Requiring what nobody can do would lock the client out; what the operator requires, the operator takes back. */
async function signingFault(ctx: PortalContext, { accountId }: Session, required: boolean): Promise<Fault | null> {
  const detail = await readAccount(ctx, accountId);
  if (!detail || detail.account.signing_required === required) return null;
  if (required) return detail.signingSecrets.length > 0 ? null : fault("conflict", "Create a signing secret first.");
  const by = await signingRequiredBy(ctx.sql, accountId);
  return by?.startsWith("user:") ? null : fault("conflict", "Signing was required for this account by us: ask your account manager.");
}

async function showCredentials(ctx: PortalContext, accountId: string): Promise<PortalAnswer> {
  const [detail, secrets, usages, counts] = await Promise.all([
    readAccount(ctx, accountId),
    readCurrentSecrets(ctx, accountId),
    readUsage(ctx.sql, accountId, ["token", "secret"]),
    countSigned(ctx.sql, accountId, new Date(ctx.clock.now() - DAY_MILLISECONDS)),
  ]);
  if (!detail) return notFound("account");
  const { token, callbackSecret } = secrets;
  // What was used before the token was made was the one before it.
  const used = usages.find((usage) => usage.kind === "token" && token !== null && usage.last_at >= token.createdAt);
  return json({
    token: token && {
      masked: token.masked,
      created_at: time(token.createdAt),
      last_used_at: used ? time(used.last_at) : null,
      last_address: used?.last_address ?? null,
    },
    signing_secrets: detail.signingSecrets.map((secret) => {
      const usage = usages.find(({ kind, subject }) => kind === "secret" && subject === secret.credentialId);
      return {
        credential_id: secret.credentialId,
        created_at: time(secret.createdAt),
        expires_at: secret.expiresAt && time(secret.expiresAt),
        calls_24h: counts.get(secret.credentialId) ?? 0,
        last_used_at: usage ? time(usage.last_at) : null,
      };
    }),
    signing_required: detail.account.signing_required,
    callback_secret: { set: callbackSecret !== null, created_at: callbackSecret && time(callbackSecret.createdAt) },
  });
}
