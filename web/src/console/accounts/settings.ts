import type { Account } from "./account.ts";

type Choice = { readonly value: string; readonly label: string; readonly effect: string; readonly danger?: boolean };

/** One setting of an account: what it is called, what it can be, and what each choice does. */
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

const YES_NO = (on: string, off: string): readonly Choice[] => [
  { value: "true", label: "Required", effect: on },
  { value: "false", label: "Not required", effect: off },
];

export const ACCOUNT_SETTINGS: readonly Setting[] = [
  {
    kind: "choice",
    name: "standing",
    label: "Standing",
    hint: "Whether this client is served at all.",
    choices: [
      { value: "active", label: "Active", effect: "Calls are served." },
      {
        value: "paused",
        label: "Paused",
        effect:
          "Every new call is refused with account_paused, code 331, from this moment. Orders under way still end, and callbacks go out.",
        danger: true,
      },
      {
        value: "inactive",
        label: "Inactive",
        effect: "Every new call is refused with account_inactive, code 331, from this moment: for a client who has left.",
        danger: true,
      },
    ],
  },
  {
    kind: "choice",
    name: "kyc",
    label: "KYC",
    hint: "Whether it is known who this client is.",
    choices: [
      { value: "verified", label: "Verified", effect: "Nothing is refused for KYC." },
      { value: "pending", label: "Pending", effect: "Every new call is refused with kyc_not_verified, code 331.", danger: true },
    ],
  },
  {
    kind: "choice",
    name: "agreement",
    label: "Agreement",
    hint: "Whether the service agreement is signed.",
    choices: [
      { value: "signed", label: "Signed", effect: "Nothing is refused for the agreement." },
      { value: "pending", label: "Pending", effect: "Every new call is refused with agreement_not_signed, code 331.", danger: true },
    ],
  },
  {
    kind: "choice",
    name: "signing_required",
    label: "Signing of recharges",
    hint: "The other services always ask for a signature.",
    choices: YES_NO("Recharge calls without a valid signature are refused, code 113.", "Recharge calls may come unsigned."),
  },
  { kind: "count", name: "money_per_minute", label: "Money calls", hint: "Every POST counts, in any sixty seconds.", unit: "a minute" },
  { kind: "count", name: "get_per_minute", label: "GET calls", hint: "Never above the money calls.", unit: "a minute" },
  {
    kind: "amount",
    name: "daily_limit",
    label: "Daily limit of recharges",
    hint: "Recharges of one India day that did not fail. Leave it empty for no limit.",
    none: "no limit",
  },
];

export const WALLET_SETTING: Setting = {
  kind: "choice",
  name: "wallet",
  label: "Wallet",
  hint: "A suspended wallet pays for nothing; reversals still come back to it.",
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
    hint: "Final states of orders go there. What still waits is sent to a new address at once. Leave it empty for none.",
    none: "none: no status callback is made",
  },
  {
    kind: "url",
    name: "complaint_callback_url",
    label: "Complaint callback URL",
    hint: "Outcomes of complaints go there. Leave it empty for none.",
    none: "none",
  },
];

/** As a field of a form holds it. */
export function textOf(account: Account, setting: Setting): string {
  const value = account[setting.name];
  return value === null ? "" : String(value);
}

/** As the API wants it. */
export function wireValue(setting: Setting, text: string): unknown {
  const given = text.trim();
  if (setting.kind === "count") return Number(given);
  if (setting.kind !== "choice") return given === "" ? null : given;
  return setting.name === "signing_required" ? given === "true" : given;
}

export function choiceOf(setting: Setting, text: string): Choice | undefined {
  return setting.kind === "choice" ? setting.choices.find((choice) => choice.value === text) : undefined;
}
