import { z } from "zod";
import { addToAllowlist, removeFromAllowlist } from "../../../domain/accounts/edit-allowlist.ts";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { readUsage } from "../../../domain/api-log/read-usage.ts";
import { noSuch, type Refusal, wrongFields } from "../../sites/actions/refusal.ts";
import { timeText } from "../../sites/outputs/output-fields.ts";
import { BUILDERS, EVERYBODY } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { actorOf, changeRefusal, nothing, time } from "../answers.ts";
import type { PortalContext } from "../context.ts";

const entryBody = z.strictObject({ entry: z.string().trim().min(1).max(64) });

/** The allowed addresses and the callers that were refused. */
const allowlistOutput = z
  .strictObject({
    entries: z.array(z.strictObject({ entry: z.string(), last_hit_at: timeText.nullable() })).readonly(),
    refused: z.array(z.strictObject({ address: z.string(), last_at: timeText, count: z.int() })).readonly(),
  })
  .meta({ id: "Allowlist" });

const showAllowlist = action({
  path: "GET /allowlist",
  summary: "Lists the allowed addresses with their last use, and refused callers.",
  roles: EVERYBODY,
  input: nothing,
  output: allowlistOutput,
  handler: async ({ deps, session }) => await readAllowlist(deps, session.accountId),
});

const addEntry = action({
  path: "POST /allowlist/add",
  summary: "Adds an address or a CIDR range.",
  roles: BUILDERS,
  proof: "recent",
  input: entryBody,
  output: allowlistOutput,
  handler: async ({ deps, session, input }) => {
    const result = await addToAllowlist(deps, actorOf(session), { accountId: session.accountId, entry: input.entry });
    if (result.kind === "invalid_entry") return wrongFields({ entry: "Must be an address or a CIDR range." });
    return changeRefusal(result) ?? (await readAllowlist(deps, session.accountId));
  },
});

const removeEntry = action({
  path: "POST /allowlist/remove",
  summary: "Removes an entry from the list.",
  roles: BUILDERS,
  proof: "recent",
  input: entryBody,
  output: allowlistOutput,
  handler: async ({ deps, session, input }) => {
    const result = await removeFromAllowlist(deps, actorOf(session), { accountId: session.accountId, entry: input.entry });
    return result.kind === "not_found" ? noSuch("entry") : await readAllowlist(deps, session.accountId);
  },
});

async function readAllowlist(ctx: PortalContext, accountId: string): Promise<z.output<typeof allowlistOutput> | Refusal> {
  const [detail, usages] = await Promise.all([readAccount(ctx, accountId), readUsage(ctx.sql, accountId, ["entry", "refused"])]);
  if (!detail) return noSuch("account");
  const hits = new Map(usages.filter(({ kind }) => kind === "entry").map((usage) => [usage.subject, usage.last_at]));
  return {
    entries: detail.account.allowlist.map((entry) => {
      const hit = hits.get(entry);
      return { entry, last_hit_at: hit ? time(hit) : null };
    }),
    refused: usages
      .filter(({ kind }) => kind === "refused")
      .map((usage) => ({ address: usage.subject, last_at: time(usage.last_at), count: Number(usage.calls) })),
  };
}

export const allowlistActions: readonly PortalAction[] = [showAllowlist, addEntry, removeEntry];
