import { z } from "zod";
import type { Answer } from "../../../client-api/route.ts";
import { type Route, route } from "../../../client-api/route.ts";
import { invalidFields } from "../../../shared/refusals.ts";
import { pageInput, readCursor, writeCursor } from "../../page.ts";
import { type AepsContext, SERVICE } from "../context.ts";
import { okReply, outletIdField, outletReply } from "../fields.ts";
import { outletNotFound, outletRecord } from "./outlet.ts";
import { findOutlet, listOutlets as readOutlets } from "./outlet-store.ts";

const OUTLET_ID = /^OUT[0-9A-Z]{18,19}$/;

export function listOutlets(ctx: AepsContext): Route {
  return route({
    method: "GET",
    path: "/aeps/outlets",
    service: SERVICE,
    kind: "plain",
    summary: "Lists the account's outlets, newest first, or one of them",
    input: z.object({ ...pageInput, outlet_id: outletIdField.optional() }),
    reply: okReply.extend({
      items: z.array(outletReply),
      next: z.string().nullable(),
      outlet: outletReply.optional().describe("With outlet_id"),
      status: z.literal("SUCCESS").optional().describe("With outlet_id, as are code, error, message and service"),
      code: z.literal(0).optional(),
      error: z.literal("").optional(),
      message: z.string().optional(),
      service: z.literal("aeps").optional(),
    }),
    refusals: ["outlet_not_found"],
    handle: async ({ account: { accountId }, input }) => {
      if (input.outlet_id !== undefined) return await answerOne(ctx, accountId, input.outlet_id);
      const [before = null] = input.after === undefined ? [] : readCursor(input.after);
      if (before !== null && !OUTLET_ID.test(before)) return invalidFields({ after: "is not a cursor of this list" });
      const found = await readOutlets(ctx.sql, accountId, before, input.limit + 1);
      const shown = found.slice(0, input.limit);
      const last = shown.at(-1);
      const next = last !== undefined && found.length > shown.length ? writeCursor(last.outletId) : null;
      return { kind: "list", items: shown.map((outlet) => outletRecord(outlet, ctx.clock.now())), next };
    },
  });
}

async function answerOne(ctx: AepsContext, accountId: string, outletId: string): Promise<Answer> {
  const outlet = await findOutlet(ctx.sql, { accountId, outletId });
  if (!outlet) return outletNotFound();
  const record = outletRecord(outlet, ctx.clock.now());
  return { kind: "record", fields: { ok: true, items: [record], next: null, outlet: record } };
}
