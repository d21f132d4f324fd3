import { type AuditRow, listAccountAudit } from "../../../domain/audit/list.ts";
import { personActor } from "../../../domain/auth/record.ts";
import { readTeam } from "../../../domain/auth/team/read-team.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { type JsonObject, parseStrictJson } from "../../../platform/core/strict-json.ts";
import { numberListQuery, toPage, writeNumberCursor } from "../../sites/lists.ts";
import type { PortalContext } from "../context.ts";
import { EVERYBODY, json, memberRoute, type PortalRoute } from "../route.ts";

export function auditRoutes(ctx: PortalContext): readonly PortalRoute[] {
  return [
    memberRoute({
      method: "GET",
      path: "/audit",
      does: "Lists changes to the account and by its users, newest first",
      who: EVERYBODY,
      input: numberListQuery,
      handle: async ({ session, input }) => {
        const { members } = await readTeam(ctx.auth, session.accountId);
        const names = new Map(members.map((row) => [personActor("portal", row.user_id), row.name]));
        const query = { accountId: session.accountId, actors: [...names.keys()], before: input.after ?? null, limit: input.limit + 1 };
        const rows = await listAccountAudit(ctx.sql, query);
        const page = toPage(
          rows,
          input.limit,
          (row) => view(row, names),
          (row) => writeNumberCursor(row.seq),
        );
        return json({ items: [...page.items], next: page.next });
      },
    }),
  ];
}

function view(row: AuditRow, names: ReadonlyMap<string, string>): JsonObject {
  const own = names.get(row.actor);
  return {
    seq: row.seq.toString(),
    at: indiaDateTime(row.at.getTime()),
    actor_name: own ?? (row.actor === "visitor" ? "Unauthenticated visitor" : "Corprail"),
    action: row.action,
    details: shownDetails(row.details, own !== undefined),
  };
}

// The account is known here, and reasons given by staff are written for staff.
function shownDetails(text: string, own: boolean): JsonObject {
  const parsed = parseStrictJson(Buffer.from(text));
  if (!parsed.ok) return {};
  const { account_id: _account, reason, ...details } = parsed.value;
  return own && reason !== undefined ? { ...details, reason } : details;
}
