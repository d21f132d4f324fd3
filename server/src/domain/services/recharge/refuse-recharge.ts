import { isOpen } from "../../../platform/core/india-time.ts";
import { formatMoney, type Money } from "../../../platform/core/money.ts";
import { ACCOUNT_REASON_WORDS, type Account, accountReason } from "../../accounts/account.ts";
import type { Catalogue, Operator } from "../../catalog/catalogue.ts";
import { invalidFields, type Refusal, refused } from "../../shared/refusals.ts";

export type RechargeDetails = { readonly target: string; readonly operatorCode: string; readonly amount: Money };

/** How a refusal is answered: as an account failure, as an ordinary failure, or as an invalid request. */
export type RechargeRefusal = { readonly refusal: Refusal; readonly shape: "account" | "ordinary" | "rejected" };

const NOT_ENABLED = ordinary("service_not_enabled", "Recharge is not enabled for the account.");
const SERVICE_OFF = ordinary("service_off", "Recharge is switched off.");

type Question = {
  readonly account: Account;
  readonly catalogue: Catalogue;
  readonly details: RechargeDetails;
  readonly now: number;
  /** Whether a provider can carry out this account's recharges of an operator. */
  readonly isServed: (operator: string) => boolean;
};

/** Checks a new recharge before its money: returns the first refusal in the order of contract section 2. */
export function refuseRecharge(question: Question): RechargeRefusal | null {
  const { account, catalogue, details } = question;
  const reason = accountReason(account);
  if (reason) return { refusal: refused(reason, ACCOUNT_REASON_WORDS[reason]), shape: "account" };
  const service = catalogue.service("recharge");
  if (!isOpen(service, question.now)) return { refusal: refused("service_closed", "Recharge is closed for the night."), shape: "account" };
  if (!account.services.has("recharge")) return NOT_ENABLED;
  if (account.wallet === "suspended") return ordinary("wallet_suspended", "The account's wallet is suspended.");
  if (!service.enabled) return SERVICE_OFF;
  const operator = catalogue.operator(details.operatorCode);
  if (!operator) return rejected(refused("unknown_operator", `There is no operator ${details.operatorCode}.`));
  if (!operator.enabled) return ordinary("operator_off", `${operator.name} is switched off.`);
  if (!question.isServed(operator.operator)) return unserved(operator);
  return refuseDetails(operator, details);
}

/** Contract, section 9a: an operator without a provider counts as off. */
export function unserved({ name }: Pick<Operator, "name">): RechargeRefusal {
  return ordinary("operator_off", `${name} is not available at the moment. Nothing was created.`);
}

/** Checks a known reference with other details: only an account reason or a switched-off service applies. */
export function refuseKnown(account: Account, catalogue: Catalogue): Refusal | null {
  const reason = accountReason(account);
  if (reason) return refused(reason, ACCOUNT_REASON_WORDS[reason]);
  if (!account.services.has("recharge")) return NOT_ENABLED.refusal;
  return catalogue.service("recharge").enabled ? null : SERVICE_OFF.refusal;
}

function refuseDetails(operator: Operator, details: RechargeDetails): RechargeRefusal | null {
  if (!operator.accountPattern.test(details.target)) {
    return rejected(
      invalidFields({ account: `is not a ${operator.accountLabel.toLowerCase()} of ${operator.name}, such as ${operator.accountExample}` }),
    );
  }
  const inRange = details.amount >= operator.minAmount && details.amount <= operator.maxAmount;
  if (!inRange) {
    const range = `from ${formatMoney(operator.minAmount)} to ${formatMoney(operator.maxAmount)}`;
    return rejected(refused("amount_out_of_range", `${operator.name} takes ${range}.`));
  }
  if (operator.denominations.length > 0 && !operator.denominations.includes(details.amount)) {
    return rejected(refused("amount_out_of_range", `${operator.name} takes ${operator.denominations.map(formatMoney).join(", ")}.`));
  }
  return null;
}

function ordinary(error: Refusal["error"], message: string): RechargeRefusal {
  return { refusal: refused(error, message), shape: "ordinary" };
}

function rejected(refusal: Refusal): RechargeRefusal {
  return { refusal, shape: "rejected" };
}
