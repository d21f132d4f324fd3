import { formatMoney, type Money } from "../../platform/core/money.ts";
import type { JsonObject, JsonValue } from "../../platform/core/strict-json.ts";
import type { ApprovalKind, Asker } from "./approval.ts";

export type ApprovalRules = {
  /** Top-ups and debits of at least this amount need approval; null means never. */
  readonly walletThreshold: Money | null;
  /** Manual settlements, reversals and refunds of at least this amount need approval; null means never. */
  readonly orderThreshold: Money | null;
  /** Whether actions by operator keys need approval too. */
  readonly keysIncluded: boolean;
  /** Whether fee and commission rules need approval. */
  readonly pricingIncluded: boolean;
  /** Whether new providers, descriptions and provider secrets need approval. */
  readonly providersIncluded: boolean;
  readonly expireHours: number;
  /** For this long after one person gave another access, neither can approve for the other. */
  readonly newPersonHours: number;
};

export type RulesChange = { readonly [Name in keyof ApprovalRules]?: ApprovalRules[Name] | undefined };

// A key that could change these alone could do everything else alone afterwards, so keys are always included here.
const ALWAYS_SUBJECT: readonly ApprovalKind[] = ["rules", "operator_key", "single_sign_on"];

/** Contract, section 8: nothing needs approval until a threshold is set. */
export function isOn(rules: ApprovalRules): boolean {
  return rules.walletThreshold !== null || rules.orderThreshold !== null;
}

export function isSubject(rules: ApprovalRules, asker: Pick<Asker, "kind">, kind: ApprovalKind): boolean {
  return asker.kind === "staff" || rules.keysIncluded || ALWAYS_SUBJECT.includes(kind);
}

/** The threshold that an amount counts towards. Amounts of one area add up. */
export type Area = "wallet" | "order";

/** How each kind is decided: by amount, or by a setting while approvals are on. */
const NEEDS: Readonly<Record<ApprovalKind, Area | ((rules: ApprovalRules) => boolean)>> = {
  wallet: "wallet",
  settle: "order",
  reverse: "order",
  refund: "order",
  cancel: "order",
  complaint_refund: "order",
  reconcile: "order",
  bulk_settle: "order",
  pricing: (rules) => rules.pricingIncluded,
  pricing_end: (rules) => rules.pricingIncluded,
  transfer_settings: (rules) => rules.pricingIncluded,
  provider: (rules) => rules.providersIncluded,
  provider_secret: (rules) => rules.providersIncluded,
  operator_key: () => true,
  single_sign_on: () => true,
  // Decided by `weakens`.
  rules: () => true,
};

/** Null for a kind without an amount. */
export function areaOf(kind: ApprovalKind): Area | null {
  const needs = NEEDS[kind];
  return typeof needs === "string" ? needs : null;
}

export function thresholdOf(rules: ApprovalRules, area: Area): Money | null {
  return area === "wallet" ? rules.walletThreshold : rules.orderThreshold;
}

/** For a kind without an amount. */
export function needsApprovalAlways(rules: ApprovalRules, kind: ApprovalKind): boolean {
  const needs = NEEDS[kind];
  return isOn(rules) && typeof needs !== "string" && needs(rules);
}

/** Only the values that differ. */
export function changesOf(rules: ApprovalRules, change: RulesChange): RulesChange {
  const names = Object.keys(change) as (keyof ApprovalRules)[];
  return Object.fromEntries(
    names.filter((name) => change[name] !== undefined && change[name] !== rules[name]).map((name) => [name, change[name]]),
  );
}

/** Whether fewer actions would need approval than before. Without a threshold there is nothing to weaken. */
export function weakens(rules: ApprovalRules, change: RulesChange): boolean {
  if (!isOn(rules)) return false;
  const includes = ["keysIncluded", "pricingIncluded", "providersIncluded"] as const;
  return (
    raises(rules.walletThreshold, change.walletThreshold) ||
    raises(rules.orderThreshold, change.orderThreshold) ||
    includes.some((name) => rules[name] && change[name] === false) ||
    (change.expireHours !== undefined && change.expireHours > rules.expireHours) ||
    (change.newPersonHours !== undefined && change.newPersonHours < rules.newPersonHours)
  );
}

function raises(from: Money | null, to: Money | null | undefined): boolean {
  if (from === null || to === undefined) return false;
  return to === null || to > from;
}

// The rules' names in the API and in the audit log.
const NAMES = {
  walletThreshold: "wallet_threshold",
  orderThreshold: "order_threshold",
  keysIncluded: "keys_included",
  pricingIncluded: "pricing_included",
  providersIncluded: "providers_included",
  expireHours: "expire_hours",
  newPersonHours: "new_person_hours",
} as const satisfies Record<keyof ApprovalRules, string>;

export function rulesView(rules: ApprovalRules) {
  return {
    wallet_threshold: rules.walletThreshold === null ? null : formatMoney(rules.walletThreshold),
    order_threshold: rules.orderThreshold === null ? null : formatMoney(rules.orderThreshold),
    keys_included: rules.keysIncluded,
    pricing_included: rules.pricingIncluded,
    providers_included: rules.providersIncluded,
    expire_hours: rules.expireHours,
    new_person_hours: rules.newPersonHours,
  };
}

/** Each change with its previous value. */
export function described(rules: ApprovalRules, change: RulesChange): JsonObject {
  const names = Object.keys(change) as (keyof ApprovalRules)[];
  return Object.fromEntries(names.map((name) => [NAMES[name], { from: written(rules[name]), to: written(change[name] ?? null) }]));
}

function written(value: ApprovalRules[keyof ApprovalRules]): JsonValue {
  return typeof value === "bigint" ? formatMoney(value) : value;
}
