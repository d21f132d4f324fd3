import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { NewOrder } from "../../../orders/place-order.ts";
import { unsealNumber } from "../beneficiaries/account-number.ts";
import type { Beneficiary } from "../beneficiaries/beneficiary-store.ts";
import type { TransfersContext } from "../context.ts";
import { needsRegistration } from "../provider-service.ts";
import { readBeneficiaryRegistrations } from "../senders/registration-store.ts";
import { nameOf, type Sender } from "../senders/sender-store.ts";

/** The keeper of sender and beneficiary comes first; after it only providers that reach the bank and need no registration. */
export function destinationOf(
  ctx: TransfersContext,
  keeper: string | null,
  among: readonly string[] | undefined,
): Pick<NewOrder, "provider" | "allows"> {
  const reaches = (provider: string) => among === undefined || among.includes(provider);
  const allows = (provider: string) => reaches(provider) && !needsRegistration(ctx.providerServices.transfers(provider));
  return keeper === null ? { allows } : { provider: keeper, allows };
}

/** Sender and beneficiary as a provider gets them, with the id that the keeper gave the beneficiary. */
export async function partiesFor(ctx: TransfersContext, sender: Sender, one: Beneficiary, keeper: string | null): Promise<JsonObject> {
  const registered = keeper === null ? null : (await readBeneficiaryRegistrations(ctx.sql, one)).get(keeper);
  return {
    account: await unsealNumber(ctx, one, one.number),
    ifsc: one.ifsc,
    beneficiary_ref: registered?.ref ?? "",
    beneficiary_name: one.name,
    beneficiary_mobile: one.mobile,
    sender_mobile: sender.mobile,
    sender_name: nameOf(sender),
    sender_pincode: sender.pincode,
  };
}
