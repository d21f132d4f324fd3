import type { Account } from "./account.ts";

type Choice = { readonly value: string; readonly label: string; readonly effect: string; readonly danger?: boolean };

/** A setting of an account with its label, possible values and their effects. */
export type Setting = {
  readonly name: keyof Account & string;
  readonly label: string;
  readonly hint: string;
} & (
  | { readonly kind: "choice"; readonly choices: readonly Choice[] }
  | { readonly kind: "count"; readonly unit: string }
  | { readonly kind: "amount"; readonly none: string }
  | { readonly kind: "url"; readonly none: string }
);

const requiredChoices = (on: string, off: string): readonly Choice[] => [
  { value: "true", label: "Required", effect: on },
  { value: "false", label: "Not required", effect: off },
];

export const ACCOUNT_SETTINGS: readonly Setting[] = [
  {
    kind: "choice",
    name: "standing",
    label: "Status",
    hint: "Whether this client's calls are served.",
    choices: [
      { value: "active", label: "Active", effect: "Calls are served." },
      {
        value: "paused",
        label: "Paused",
        effect: "New calls are refused immediately with account_paused, code 331. Orders in progress are completed and callbacks are sent.",
        danger: true,
      },
      {
        value: "inactive",
        label: "Inactive",
        effect: "New calls are refused immediately with account_inactive, code 331. Use this for a client who has left.",
        danger: true,
      },
    ],
  },
  {
    kind: "choice",
    name: "kyc",
    label: "KYC",
    hint: "Whether the client's identity has been verified.",
    choices: [
      { value: "verified", label: "Verified", effect: "No calls are refused because of KYC." },
      { value: "pending", label: "Pending", effect: "New calls are refused with kyc_not_verified, code 331.", danger: true },
    ],
  },
  {
    kind: "choice",
    name: "agreement",
    label: "Agreement",
    hint: "Whether the service agreement is signed.",
    choices: [
      { value: "signed", label: "Signed", effect: "No calls are refused because of the agreement." },
      { value: "pending", label: "Pending", effect: "New calls are refused with agreement_not_signed, code 331.", danger: true },
    ],
  },
  {
    kind: "choice",
    name: "signing_required",
    label: "Signing of recharges",
    hint: "The other services always require a signature.",
    choices: requiredChoices("Recharge calls without a valid signature are refused, code 113.", "Recharge calls may be unsigned."),
  },
  {
    kind: "count",
    name: "money_per_minute",
    label: "Money calls",
    hint: "Counts every POST request within sixty seconds.",
    unit: "per minute",
  },
  { kind: "count", name: "get_per_minute", label: "GET calls", hint: "Cannot exceed the money calls.", unit: "per minute" },
  {
    kind: "amount",
    name: "daily_limit",
    label: "Daily limit of recharges",
    hint: "Total of recharges per calendar day in India that did not fail. Leave empty for no limit.",
    none: "No limit",
  },
];

export const WALLET_SETTING: Setting = {
  kind: "choice",
  name: "wallet",
  label: "Wallet",
  hint: "A suspended wallet cannot pay for orders. Reversals are still credited to it.",
  choices: [
    { value: "active", label: "Active", effect: "The wallet pays for orders." },
    { value: "suspended", label: "Suspended", effect: "Every new transaction fails with wallet_suspended, code 331.", danger: true },
  ],
};

export const CALLBACK_SETTINGS: readonly Setting[] = [
  {
    kind: "url",
    name: "callback_url",
    label: "Callback URL",
    hint: "Receives final states of orders. Waiting callbacks are sent to a new URL immediately. Leave empty for none.",
    none: "None. No status callbacks are created.",
  },
  {
    kind: "url",
    name: "complaint_callback_url",
    label: "Complaint callback URL",
    hint: "Receives outcomes of complaints. Leave empty for none.",
    none: "None",
  },
];

/** The setting's value as form text. */
export function textOf(account: Account, setting: Setting): string {
  const value = account[setting.name];
  return value === null ? "" : String(value);
}

/** The form text as the API expects it. */
export function wireValue(setting: Setting, text: string): unknown {
  const given = text.trim();
  if (setting.kind === "count") return Number(given);
  if (setting.kind !== "choice") return given === "" ? null : given;
  return setting.name === "signing_required" ? given === "true" : given;
}

export function choiceOf(setting: Setting, text: string): Choice | undefined {
  return setting.kind === "choice" ? setting.choices.find((choice) => choice.value === text) : undefined;
}
