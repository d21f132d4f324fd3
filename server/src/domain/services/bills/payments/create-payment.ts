import { z } from "zod";
import { type Route, route } from "../../../client-api/route.ts";
import { amountField } from "../../fields.ts";
import { mobileField, nameField, panField, requestIdField } from "../../signed/fields.ts";
import { knowsReference } from "../../signed/find-order.ts";
import { fingerprintOf, fingerprintWithIdentities } from "../../signed/fingerprint.ts";
import { answerTransaction } from "../../signed/transaction.ts";
import { type BillsContext, SERVICE } from "../context.ts";
import { billerIdField, fetchRefField, paramsField } from "../fields.ts";
import { billBlock, paymentReply } from "./bill-block.ts";
import { preparePayment, refuseUsed } from "./prepare-payment.ts";

const DIRECT = ["biller_id", "params", "customer_mobile"] as const;

const input = z
  .object({
    request_id: requestIdField,
    fetch_ref: fetchRefField.optional(),
    biller_id: billerIdField.optional(),
    params: paramsField.optional(),
    customer_mobile: mobileField.optional(),
    amount: amountField,
    payment_mode: z.string().min(1, "must not be empty").max(32, "is too long"),
    payer_name: nameField,
    payer_pan: panField.optional(),
  })
  .superRefine((asked, check) => {
    const wrong = (name: string, message: string) => check.addIssue({ code: "custom", path: [name], message });
    // A fetch determines the biller, so other fields are ignored.
    if (asked.fetch_ref !== undefined) return;
    const given = DIRECT.filter((name) => asked[name] !== undefined);
    if (given.length === 0) wrong("fetch_ref", `is required, or ${DIRECT.join(", ")} of a biller that is paid directly`);
    else for (const name of DIRECT) if (asked[name] === undefined) wrong(name, "is required");
  });
export type PaymentInput = z.infer<typeof input>;

export function createPayment(ctx: BillsContext): Route {
  return route({
    method: "POST",
    path: "/bills/pay",
    service: SERVICE,
    kind: "transaction",
    summary: "Pays a fetched bill or a direct biller; a retry with the same request_id returns the first result",
    input,
    reply: paymentReply,
    refusals: [
      "biller_not_found",
      "biller_inactive",
      "invalid_customer_params",
      "no_bill_due",
      "fetch_not_found",
      "fetch_expired",
      "fetch_already_paid",
      "amount_mismatch",
      "payment_mode_not_allowed",
      "pan_required",
    ],
    knows: async (accountId, reference, body) =>
      (await knowsReference(ctx, SERVICE)(accountId, reference)) || (await refuseUsed(ctx, accountId, body["fetch_ref"])) !== null,
    handle: ({ account, input: asked }) =>
      answerTransaction(ctx, {
        service: SERVICE,
        account,
        requestId: asked.request_id,
        fingerprint: fingerprintOfPayment(ctx, account.accountId, asked),
        sent: { amount: asked.amount },
        used: () => refuseUsed(ctx, account.accountId, asked.fetch_ref),
        prepare: () => preparePayment(ctx, account, asked),
        block: (order) => billBlock(ctx, order),
      }),
  });
}

function fingerprintOfPayment(ctx: BillsContext, accountId: string, asked: PaymentInput): string {
  const { payer_pan: pan, ...details } = asked;
  if (pan === undefined) return fingerprintOf(details);
  return fingerprintWithIdentities(ctx, { accountId, requestId: asked.request_id, details, identities: pan });
}
