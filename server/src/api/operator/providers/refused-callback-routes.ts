import { z } from "zod";
import { CALLBACK_REFUSALS, type CallbackRefusalReason } from "../../../domain/providers/callbacks/refused-callback.ts";
import { listRefusedCallbacks } from "../../../domain/providers/callbacks/refused-callbacks.ts";
import { idListQuery, toPage, writeIdCursor } from "../../sites/lists.ts";
import { EVERYBODY, may } from "../access.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { word } from "../filters.ts";
import type { ZodApp } from "../zod-app.ts";
import { refusedCallbackView } from "./views.ts";

const REASONS = Object.keys(CALLBACK_REFUSALS) as [CallbackRefusalReason, ...CallbackRefusalReason[]];
const refusedQuery = idListQuery.extend({ provider: word, reason: z.enum(REASONS).optional() });

/** Refused requests to /upstream/{provider}/callback. */
export function refusedCallbackRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/provider-callbacks", { config: may(EVERYBODY), schema: { querystring: refusedQuery } }, async (request) => {
    const { limit, after, provider, reason } = request.query;
    const filter = { provider: provider ?? null, reason: reason ?? null, before: after ?? null, limit: limit + 1 };
    const rows = await listRefusedCallbacks(deps.sql, filter);
    return toPage(rows, limit, refusedCallbackView, (row) => writeIdCursor(row.refusal_id));
  });
}
