import { z } from "zod";
import { listRefusedCallbacks } from "../../../domain/providers/callbacks/refused-callbacks.ts";
import { idListQuery, toPage, writeIdCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/output-fields.ts";
import { EVERYBODY } from "../access.ts";
import { action } from "../action.ts";
import { word } from "../filters.ts";
import { REFUSAL_REASONS, refusedCallbackOutput } from "./outputs.ts";
import { refusedCallbackView } from "./views.ts";

export const listRefusedCallbacksAction = action({
  path: "GET /provider-callbacks",
  summary: "Lists refused callbacks of providers, newest first.",
  roles: EVERYBODY,
  query: idListQuery.extend({ provider: word, reason: z.enum(REFUSAL_REASONS).optional() }),
  output: pageOf(refusedCallbackOutput),
  handler: async ({ deps, query: { limit, after, provider, reason } }) => {
    const filter = { provider: provider ?? null, reason: reason ?? null, before: after ?? null, limit: limit + 1 };
    const rows = await listRefusedCallbacks(deps.sql, filter);
    return toPage(rows, limit, refusedCallbackView, (row) => writeIdCursor(row.refusal_id));
  },
});
