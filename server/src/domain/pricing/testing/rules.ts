import { NO_MONEY, requireMoney } from "../../../platform/core/money.ts";
import type { Rate } from "../../../platform/core/rate.ts";
import type { Rule } from "../rule.ts";

export const NO_RATE: Rate = { flat: NO_MONEY, basisPoints: 0n };

export const rupees = (text: string) => requireMoney(text);

/** A rate of this many percent. */
export function percent(text: number, more: Partial<Rate> = {}): Rate {
  return { flat: NO_MONEY, basisPoints: BigInt(Math.round(text * 100)), ...more };
}

export function flat(text: string): Rate {
  return { ...NO_RATE, flat: rupees(text) };
}

let made = 0;

/** A rule for everything without fee and commission, with the given changes. */
export function ruleOf(more: Partial<Rule> = {}): Rule {
  made++;
  return {
    ruleId: `R${String(made).padStart(6, "0")}`,
    accountId: null,
    service: null,
    operator: null,
    fee: NO_RATE,
    commission: NO_RATE,
    validFrom: 0,
    endedAt: null,
    ...more,
  };
}
