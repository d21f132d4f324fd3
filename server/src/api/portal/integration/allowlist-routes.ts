import { z } from "zod";
import { addToAllowlist, removeFromAllowlist } from "../../../domain/accounts/edit-allowlist.ts";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { readUsage } from "../../../domain/api-log/read-usage.ts";
import { actorOf, changeFault, notFound, nothing, time } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import { BUILDERS, EVERYBODY, fault, json, memberRoute, type PortalAnswer, type PortalRoute } from "../route.ts";

const entryBody = z.strictObject({ entry: z.string().trim().min(1).max(64) });

export function allowlistRoutes(ctx: PortalContext): readonly PortalRoute[] {
  return [
    memberRoute({
      method: "GET",
      path: "/allowlist",
      does: "Lists the allowed addresses with their last use, and refused callers.",
      who: EVERYBODY,
      input: nothing,
      handle: ({ session }) => showAllowlist(ctx, session.accountId),
    }),
    memberRoute({
      method: "POST",
      path: "/allowlist/add",
      does: "Adds an address or a CIDR range.",
      who: BUILDERS,
      stepUp: true,
      input: entryBody,
      handle: async ({ session, input }) => {
        const result = await addToAllowlist(ctx, actorOf(session), { accountId: session.accountId, entry: input.entry });
        if (result.kind === "invalid_entry")
          return fault("invalid_request", "Not valid: entry.", { fields: { entry: "Must be an address or a CIDR range." } });
        return changeFault(result) ?? (await showAllowlist(ctx, session.accountId));
      },
    }),
    memberRoute({
      method: "POST",
      path: "/allowlist/remove",
      does: "Removes an entry from the list.",
      who: BUILDERS,
      stepUp: true,
      input: entryBody,
      handle: async ({ session, input }) => {
        const result = await removeFromAllowlist(ctx, actorOf(session), { accountId: session.accountId, entry: input.entry });
        return result.kind === "not_found" ? notFound("entry") : await showAllowlist(ctx, session.accountId);
      },
    }),
  ];
}

async function showAllowlist(ctx: PortalContext, accountId: string): Promise<PortalAnswer> {
  const [detail, usages] = await Promise.all([readAccount(ctx, accountId), readUsage(ctx.sql, accountId, ["entry", "refused"])]);
  if (!detail) return notFound("account");
  const hits = new Map(usages.filter(({ kind }) => kind === "entry").map((usage) => [usage.subject, usage.last_at]));
  return json({
    entries: detail.account.allowlist.map((entry) => {
      const hit = hits.get(entry);
      return { entry, last_hit_at: hit ? time(hit) : null };
    }),
    refused: usages
      .filter(({ kind }) => kind === "refused")
      .map((usage) => ({ address: usage.subject, last_at: time(usage.last_at), count: Number(usage.calls) })),
  });
}
