import { z } from "zod";
import { listAudit } from "../audit/list.ts";
import { numberListQuery, toPage, writeNumberCursor } from "../site-kit/lists.ts";
import { EVERYBODY, may } from "./access.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { auditView } from "./views.ts";
import type { ZodApp } from "./zod-app.ts";

const word = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "Must be a kind or an id.")
  .optional();
const auditQuery = numberListQuery.extend({ subject_kind: word, subject_id: word });

export function auditRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/audit", { config: may(EVERYBODY), schema: { querystring: auditQuery } }, async (request) => {
    const { limit, after, subject_kind: kind, subject_id: id } = request.query;
    const rows = await listAudit(deps.sql, { before: after ?? null, limit: limit + 1, subject: { kind, id } });
    return toPage(rows, limit, auditView, (entry) => writeNumberCursor(entry.seq));
  });
}
