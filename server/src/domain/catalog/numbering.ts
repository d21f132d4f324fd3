import { type Money, moneyOf } from "../../platform/core/money.ts";
import type { CircleRow, PlanRow, SeriesRow } from "./store.ts";

/** A telecom circle: the area in which a mobile number was issued. */
export type Circle = { readonly circle: string; readonly name: string };

export type NumberOrigin = { readonly operator: string; readonly circle: string };

export type Plan = {
  readonly amount: Money;
  readonly validity: string;
  readonly data: string;
  readonly talktime: string;
  readonly category: string;
  readonly description: string;
};

export type Numbering = {
  readonly circle: (code: string) => Circle | null;
  /** By the longest known prefix, so that an unknown series gets the best guess. */
  readonly originOf: (number: string) => NumberOrigin | null;
  /** An operator's plans for all circles, and for the given circle; cheapest first. */
  readonly plansOf: (operator: string, circle: string | null) => readonly Plan[];
};

const EVERYWHERE = "*";

export function numbering(circles: readonly CircleRow[], series: readonly SeriesRow[], plans: readonly PlanRow[]): Numbering {
  const byCode = new Map(circles.map((row) => [row.circle, row]));
  const byPrefix = new Map(series.map((row) => [row.prefix, row]));
  return {
    circle: (code) => byCode.get(code) ?? null,
    originOf: (number) => {
      for (let length = number.length; length > 0; length--) {
        const known = byPrefix.get(number.slice(0, length));
        if (known) return { operator: known.operator, circle: known.circle };
      }
      return null;
    },
    plansOf: (operator, circle) =>
      plans.filter((plan) => plan.operator === operator && (plan.circle === EVERYWHERE || plan.circle === circle)).map(toPlan),
  };
}

function toPlan(row: PlanRow): Plan {
  const { validity, data, talktime, category, description } = row;
  return { amount: moneyOf(row.amount), validity, data, talktime, category, description };
}
