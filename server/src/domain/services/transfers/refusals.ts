import { formatMoney, type Money } from "../../../platform/core/money.ts";
import { invalidFields, type Refusal, refused } from "../../shared/refusals.ts";
import type { Beneficiary, BeneficiaryStatus } from "./beneficiaries/beneficiary-store.ts";
import type { SenderStatus } from "./senders/sender-store.ts";
import type { TransferSettings } from "./settings/settings-store.ts";
import { limitLeft } from "./transactions/month.ts";
import type { Quote } from "./transactions/quote-store.ts";

export function senderNotFound(): Refusal {
  return refused("sender_not_found", "There is no sender with this mobile. Register the sender first.");
}

export function beneficiaryNotFound(): Refusal {
  return refused("beneficiary_not_found", "There is no such beneficiary.");
}

export function refuseSender(status: SenderStatus): Refusal | null {
  if (status === "VERIFIED") return null;
  return refused("sender_not_verified", status === "BLOCKED" ? "The sender is blocked." : "The sender has not verified the mobile yet.");
}

/** The provider that would send keeps senders of its own and wants a one-time password. */
export function verifySenderAgain(): Refusal {
  return refused(
    "sender_not_verified",
    "The sender must verify the mobile again with a new one-time password. Register the sender again: POST /transfers/senders.",
  );
}

/** The provider refuses a beneficiary without a reason that a client could see. */
export function invalidBeneficiary(): Refusal {
  return invalidFields({ account: "is not accepted by the provider with this ifsc and name" });
}

export function refuseInactive(status: BeneficiaryStatus): Refusal | null {
  if (status === "ACTIVE") return null;
  const words = status === "DELETED" ? "was deleted" : "waits for its one-time password";
  return refused("beneficiary_not_active", `The beneficiary ${words}.`);
}

/** Checks that the beneficiary belongs to the sender and can be paid now. */
export function refuseBeneficiary(one: Beneficiary | null, sender: string): Refusal | null {
  return one?.sender === sender ? refuseInactive(one.status) : beneficiaryNotFound();
}

export function refuseAmount(settings: TransferSettings, amount: Money): Refusal | null {
  if (amount >= settings.minAmount && amount <= settings.maxAmount) return null;
  const range = `${formatMoney(settings.minAmount)} to ${formatMoney(settings.maxAmount)}`;
  return refused("amount_out_of_range", `The amount of a transfer must be from ${range}.`);
}

/** Contract, section 6: the monthly limit of a sender, including pending transfers. */
export function refuseOverLimit(settings: TransferSettings, used: Money, amount: Money): Refusal | null {
  const left = limitLeft(settings.monthLimit, used);
  if (amount <= left) return null;
  return refused("sender_limit_exceeded", `The sender can send ${formatMoney(left)} more this month.`);
}

export function transferRefNotFound(): Refusal {
  return refused("transfer_ref_not_found", "There is no such transfer_ref.");
}

export function refuseUsed(quote: Quote): Refusal | null {
  if (quote.orderId === null) return null;
  return refused("transfer_ref_used", "This transfer_ref was already used with another request_id.");
}

/** Returns why a quote cannot be used, before its one-time password is checked. */
export function refuseUse(quote: Quote, now: number): Refusal | null {
  const used = refuseUsed(quote);
  if (used) return used;
  if (now >= quote.expiresAt) return refused("transfer_ref_expired", "This transfer_ref has expired. Request a new quote.");
  return refuseSender(quote.senderStatus) ?? refuseInactive(quote.beneficiaryStatus);
}
