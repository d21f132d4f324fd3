import { z } from "zod";
import { NO_MONEY } from "../../../../platform/core/money.ts";
import type { Account } from "../../../accounts/account.ts";
import { type Route, route } from "../../../client-api/route.ts";
import type { Refusal } from "../../../shared/refusals.ts";
import { recordField, requestIdField } from "../../signed/fields.ts";
import { fingerprintOf } from "../../signed/fingerprint.ts";
import { answerTransaction, type Prepared } from "../../signed/transaction.ts";
import { SERVICE, type TransfersContext } from "../context.ts";
import { pennyDropReply } from "../fields.ts";
import { findLiveBank } from "../find-provider.ts";
import { needsRegistration } from "../provider-service.ts";
import { beneficiaryNotFound, refuseInactive } from "../refusals.ts";
import { requireSender } from "../senders/register-at-provider.ts";
import { findSender } from "../senders/sender-store.ts";
import { readSettings } from "../settings/settings-store.ts";
import { destinationOf, partiesFor } from "../transactions/destination.ts";
import { pennyDropBlock } from "../views.ts";
import { findBeneficiary } from "./beneficiary-store.ts";
import { insertPennyDrop } from "./penny-drop-store.ts";

const input = z.object({ request_id: requestIdField, beneficiary_id: recordField });

export const PENNY_DROP = "penny_drop";

export function verifyBeneficiary(ctx: TransfersContext): Route {
  return route({
    method: "POST",
    path: "/transfers/beneficiaries/verify",
    service: SERVICE,
    // It creates an order but is not a transaction request of contract section 2, so refusals are answered with 403.
    kind: "plain",
    summary: "Asks the bank for the account holder's name (penny drop); charges only the fee, and only if it succeeds",
    input,
    reply: pennyDropReply,
    refusals: ["beneficiary_not_found", "beneficiary_not_active", "sender_not_verified", "insufficient_balance", "bank_down"],
    handle: async ({ account, input: asked }) => {
      const answer = await answerTransaction(ctx, {
        service: SERVICE,
        operation: PENNY_DROP,
        account,
        requestId: asked.request_id,
        fingerprint: fingerprintOf(asked),
        sent: {},
        prepare: () => prepare(ctx, account, asked.beneficiary_id),
        block: (order) => pennyDropBlock(ctx, order),
      });
      return answer.kind === "failed" ? answer.refusal : answer;
    },
  });
}

async function prepare(ctx: TransfersContext, account: Account, beneficiaryId: string): Promise<Prepared | Refusal> {
  const one = await findBeneficiary(ctx.sql, account.accountId, beneficiaryId);
  if (!one) return beneficiaryNotFound();
  const against = one.status === "DELETED" ? refuseInactive(one.status) : null;
  if (against) return against;
  const sender = await findSender(ctx.sql, account.accountId, one.sender);
  if (!sender) return beneficiaryNotFound();
  const found = await findLiveBank(ctx, account, { sender: one.sender }, one.ifsc);
  if (found.kind === "refused") return found;
  const unknown = await requireSender(ctx, account.accountId, found, sender);
  if (unknown) return unknown;
  const keeper = needsRegistration(found.providerService) ? found.provider : null;
  const { pennyDropFee } = await readSettings(ctx.sql);
  return {
    kind: "prepared",
    // The amount is zero, because the provider sends its own money to the bank account.
    amount: NO_MONEY,
    amountText: "0",
    fee: pennyDropFee,
    target: one.accountMasked,
    operator: one.bank,
    ...destinationOf(ctx, keeper, found.among),
    details: await partiesFor(ctx, sender, one, keeper),
    guard: async (tx, order) => {
      await insertPennyDrop(tx, order, beneficiaryId);
      return null;
    },
  };
}
