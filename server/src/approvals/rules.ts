import { formatMoney, type Money } from "../kernel/money.ts";
import type { JsonObject, JsonValue } from "../kernel/strict-json.ts";
import type { ApprovalKind, Asker } from "./approval.ts";

export type ApprovalRules = {
  /** Top-ups and debits of at least this much; null is off. */
  readonly walletThreshold: Money | null;
  /** Ends of orders of at least this amount, by hand; null is off. */
  readonly orderThreshold: Money | null;
  /** Whether operator keys are subject to the thresholds as well. */
  readonly keysIncluded: boolean;
  readonly expireHours: number;
};

export type RulesChange = { readonly [Name in keyof ApprovalRules]?: ApprovalRules[Name] | undefined };

/** Contract, section 8: off until set, and not for keys unless switched on. */
export function isSubject(rules: ApprovalRules, asker: Pick<Asker, "kind">): boolean {
  return asker.kind === "staff" || rules.keysIncluded;
}

export function reachesThreshold(rules: ApprovalRules, kind: ApprovalKind, amount: Money | null): boolean {
  const threshold = kind === "wallet" ? rules.walletThreshold : rules.orderThreshold;
  if (threshold === null || amount === null) return false;
  return (amount < 0n ? -amount : amount) >= threshold;
}

/** Just what would be other than it is. */
export function changesOf(rules: ApprovalRules, change: RulesChange): RulesChange {
  const names = Object.keys(change) as (keyof ApprovalRules)[];
  return Object.fromEntries(
    names.filter((name) => change[name] !== undefined && change[name] !== rules[name]).map((name) => [name, change[name]]),
  );
}

/** Whether less would be looked at by two than before. While no threshold is set there is nothing to weaken. */
export function weakens(rules: ApprovalRules, change: RulesChange): boolean {
  if (rules.walletThreshold === null && rules.orderThreshold === null) return false;
  return (
    raises(rules.walletThreshold, change.walletThreshold) ||
    raises(rules.orderThreshold, change.orderThreshold) ||
    (rules.keysIncluded && change.keysIncluded === false) ||
    (change.expireHours !== undefined && change.expireHours > rules.expireHours)
  );
}

function raises(from: Money | null, to: Money | null | undefined): boolean {
  if (from === null || to === undefined) return false;
  return to === null || to > from;
}

// The rules as they stand on the wire and in the audit trail.
const NAMES = {
  walletThreshold: "wallet_threshold",
  orderThreshold: "order_threshold",
  keysIncluded: "keys_included",
  expireHours: "expire_hours",
} as const satisfies Record<keyof ApprovalRules, string>;

export function rulesView(rules: ApprovalRules) {
  return {
    wallet_threshold: written(rules.walletThreshold),
    order_threshold: written(rules.orderThreshold),
    keys_included: rules.keysIncluded,
    expire_hours: rules.expireHours,
  };
}

/** Each change with what it was before. */
export function described(rules: ApprovalRules, change: RulesChange): JsonObject {
  const names = Object.keys(change) as (keyof ApprovalRules)[];
  return Object.fromEntries(names.map((name) => [NAMES[name], { from: written(rules[name]), to: written(change[name] ?? null) }]));
}

function written(value: ApprovalRules[keyof ApprovalRules]): JsonValue {
  return typeof value === "bigint" ? formatMoney(value) : value;
}
