import { z } from "zod";
import { listAudit } from "../../domain/audit/list.ts";
import { verifyAudit } from "../../domain/audit/verify.ts";
import { numberListQuery, toPage, writeNumberCursor } from "../sites/lists.ts";
import { EVERYBODY, may } from "./access.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { firstMoment, lastMoment } from "./fields.ts";
import { auditView } from "./views.ts";
import type { ZodApp } from "./zod-app.ts";

const word = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "Must be a kind or an id.")
  .optional();
const actor = z
  .string()
  .regex(/^[A-Za-z0-9_:-]{1,80}$/, "Must be an actor, such as staff:U….")
  .optional();
const action = z
  .string()
  .regex(/^[a-z0-9_.]{1,64}$/, "Must be an action or the start of one, such as account.changed.")
  .optional();
const auditQuery = numberListQuery.extend({
  subject_kind: word,
  subject_id: word,
  actor,
  action,
  from: firstMoment.optional(),
  to: lastMoment.optional(),
});

export function auditRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/audit", { config: may(EVERYBODY), schema: { querystring: auditQuery } }, async (request) => {
    const { limit, after, subject_kind: kind, subject_id: id, ...others } = request.query;
    const rows = await listAudit(deps.sql, {
      before: after ?? null,
      limit: limit + 1,
      subject: { kind, id },
      ...others,
    });
    return toPage(rows, limit, auditView, (entry) => writeNumberCursor(entry.seq));
  });

  app.post("/audit/verify", { config: may(EVERYBODY), schema: { body: z.strictObject({}) } }, async () => {
    const found = await verifyAudit(deps.sql);
    if (found.ok) return { ok: true, entries: found.count.toString(), broken_at: null, why: null };
    return { ok: false, entries: null, broken_at: found.seq.toString(), why: found.why };
  });
}
