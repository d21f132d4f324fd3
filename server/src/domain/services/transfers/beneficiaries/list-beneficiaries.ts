import { z } from "zod";
import { type Route, route } from "../../../client-api/route.ts";
import { invalidFields } from "../../../shared/refusals.ts";
import { pageInput, readCursor, writeCursor } from "../../page.ts";
import { mobileField } from "../../signed/fields.ts";
import { SERVICE, type TransfersContext } from "../context.ts";
import { beneficiaryShape } from "../fields.ts";
import { senderNotFound } from "../refusals.ts";
import { findSender } from "../senders/sender-store.ts";
import { beneficiaryFields } from "../views.ts";
import { readBeneficiaries } from "./beneficiary-store.ts";

const BENEFICIARY_ID = /^BEN[0-9A-Z]{18,19}$/;

export function listBeneficiaries(ctx: TransfersContext): Route {
  return route({
    method: "GET",
    path: "/transfers/beneficiaries",
    service: SERVICE,
    kind: "plain",
    summary: "Lists the beneficiaries of one sender or of all, deleted ones included",
    input: z.object({ ...pageInput, sender: mobileField.optional() }),
    reply: z.object({ ok: z.literal(true), items: z.array(beneficiaryShape), next: z.string().nullable() }),
    refusals: ["sender_not_found"],
    handle: async ({ account, input }) => {
      const before = input.after === undefined ? null : cursorOf(input.after);
      if (before === undefined) return invalidFields({ after: "is not a cursor of this list" });
      const { sender = null } = input;
      if (sender !== null && !(await findSender(ctx.sql, account.accountId, sender))) return senderNotFound();
      const rows = await readBeneficiaries(ctx.sql, account.accountId, sender, { before, limit: input.limit + 1 });
      const shown = rows.slice(0, input.limit);
      const last = shown.at(-1);
      const next = last && rows.length > input.limit ? writeCursor(last.beneficiaryId) : null;
      return { kind: "list", items: shown.map(beneficiaryFields), next };
    },
  });
}

function cursorOf(text: string): string | undefined {
  const [last = "", ...others] = readCursor(text);
  return BENEFICIARY_ID.test(last) && others.length === 0 ? last : undefined;
}
