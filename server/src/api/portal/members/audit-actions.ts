import { z } from "zod";
import { type AuditRow, listAccountAudit } from "../../../domain/audit/list.ts";
import { personActor } from "../../../domain/auth/record.ts";
import { readTeam } from "../../../domain/auth/team/read-team.ts";
import { cellOfId, HOME_CELL } from "../../../platform/core/ids.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { type JsonObject, parseStrictJson } from "../../../platform/core/strict-json.ts";
import { mergeChains, type Places, placesField } from "../../sites/chain-pages.ts";
import { numberListQuery, toPage, writeNumberCursor } from "../../sites/lists.ts";
import { anyObject, listOf, timeText } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import type { PortalDependencies } from "../context.ts";

/** An entry of the audit log as the client sees it. */
const entryOutput = z
  .strictObject({
    seq: z.string(),
    at: timeText,
    actor_name: z.string(),
    action: z.string(),
    details: anyObject.describe("Its fields depend on the action."),
  })
  .meta({ id: "AuditEntry" });

const browseAudit = action({
  path: "GET /audit",
  summary: "Lists changes to the account and by its users, newest first.",
  ofClient: true,
  roles: EVERYBODY,
  input: numberListQuery.extend({ after: placesField.optional() }),
  output: listOf(entryOutput),
  handler: async ({ deps, session, input }) => {
    const { members } = await readTeam(deps.auth, session.accountId);
    const names = new Map(members.map((row) => [personActor("portal", row.user_id), row.name]));
    const read = (sql: PortalDependencies["sql"], before: bigint | null) =>
      listAccountAudit(sql, { accountId: session.accountId, actors: [...names.keys()], before, limit: input.limit + 1 });
    const { after = NO_PLACES } = input;
    const { sql, auth, ids } = deps;
    const home = { cell: HOME_CELL, rows: await read(auth.sql, after.get(HOME_CELL) ?? null) };
    if (sql === auth.sql) {
      const { items, next } = toPage(
        home.rows,
        input.limit,
        (row) => view(row, names),
        (row) => writeNumberCursor(row.seq),
      );
      return { items, next };
    }
    // What concerns the users is in home's chain, and what concerns the account in its cell's.
    const cell = cellOfId(ids.order(0));
    const own = { cell, rows: await read(sql, after.get(cell) ?? null) };
    const { shown, next } = mergeChains([home, own], input.limit, after);
    return { items: shown.map(({ row, cell: of }) => ({ ...view(row, names), seq: `${of}-${row.seq}` })), next };
  },
});

const NO_PLACES: Places = new Map();

function view(row: AuditRow, names: ReadonlyMap<string, string>): z.output<typeof entryOutput> {
  const own = names.get(row.actor);
  return {
    seq: row.seq.toString(),
    at: indiaDateTime(row.at.getTime()),
    actor_name: own ?? (row.actor === "visitor" ? "Unauthenticated visitor" : "Corprail"),
    action: row.action,
    details: shownDetails(row.details, own !== undefined),
  };
}

// The account is known here. Reasons given by staff are written for staff, and who requested an approved action is internal.
function shownDetails(text: string, own: boolean): JsonObject {
  const parsed = parseStrictJson(Buffer.from(text));
  if (!parsed.ok) return {};
  const { account_id: _account, approval_id: _approval, made_by: _requester, reason, ...details } = parsed.value;
  return own && reason !== undefined ? { ...details, reason } : details;
}

export const auditActions: readonly PortalAction[] = [browseAudit];
