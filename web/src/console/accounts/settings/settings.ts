import type { OperatorApi } from "../../../operator-api.ts";
import type { Account } from "../account.ts";

/** A change of an account as the API expects it. */
type AccountChange = Omit<OperatorApi["POST /accounts/:account_id"]["input"], "account_id" | "reason">;

type Choice = {
  readonly value: string;
  readonly label: string;
  readonly effect: string;
  readonly danger?: boolean;
  readonly change: AccountChange;
};

/** A setting of an account with its label, possible values and their effects. */
export type Setting = {
  readonly name: keyof Account & string;
  readonly label: string;
  readonly hint: string;
} & (
  | { readonly kind: "choice"; readonly choices: readonly Choice[] }
  | { readonly kind: "count"; readonly unit: string; readonly change: (count: number) => AccountChange }
  | { readonly kind: "amount"; readonly none: string; readonly change: (amount: string | null) => AccountChange }
  | { readonly kind: "url"; readonly none: string; readonly change: (url: string | null) => AccountChange }
);

export const ACCOUNT_SETTINGS: readonly Setting[] = [
  {
    kind: "choice",
    name: "standing",
    label: "Standing",
    hint: "Whether this client's calls are served.",
    choices: [
      { value: "active", label: "Active", effect: "Calls are served.", change: { standing: "active" } },
      {
        value: "paused",
        label: "Paused",
        effect: "New calls are refused immediately with account_paused, code 331. Orders in progress are completed and callbacks are sent.",
        danger: true,
        change: { standing: "paused" },
      },
      {
        value: "inactive",
        label: "Inactive",
        effect: "New calls are refused immediately with account_inactive, code 331. Use this for a client who has left.",
        danger: true,
        change: { standing: "inactive" },
      },
    ],
  },
  {
    kind: "choice",
    name: "kyc",
    label: "KYC",
    hint: "Whether the client's identity has been verified.",
    choices: [
      { value: "verified", label: "Verified", effect: "No calls are refused because of KYC.", change: { kyc: "verified" } },
      {
        value: "pending",
        label: "Pending",
        effect: "New calls are refused with kyc_not_verified, code 331.",
        danger: true,
        change: { kyc: "pending" },
      },
    ],
  },
  {
    kind: "choice",
    name: "agreement",
    label: "Agreement",
    hint: "Whether the service agreement is signed.",
    choices: [
      { value: "signed", label: "Signed", effect: "No calls are refused because of the agreement.", change: { agreement: "signed" } },
      {
        value: "pending",
        label: "Pending",
        effect: "New calls are refused with agreement_not_signed, code 331.",
        danger: true,
        change: { agreement: "pending" },
      },
    ],
  },
  {
    kind: "choice",
    name: "signing_required",
    label: "Signing of recharges",
    hint: "The other services always require a signature.",
    choices: [
      {
        value: "true",
        label: "Required",
        effect: "Recharge calls without a valid signature are refused, code 113.",
        change: { signing_required: true },
      },
      { value: "false", label: "Not required", effect: "Recharge calls may be unsigned.", change: { signing_required: false } },
    ],
  },
  {
    kind: "count",
    name: "money_per_minute",
    label: "Money calls",
    hint: "Counts every POST request within sixty seconds.",
    unit: "per minute",
    change: (count) => ({ money_per_minute: count }),
  },
  {
    kind: "count",
    name: "get_per_minute",
    label: "GET calls",
    hint: "Cannot exceed the money calls.",
    unit: "per minute",
    change: (count) => ({ get_per_minute: count }),
  },
  {
    kind: "amount",
    name: "daily_limit",
    label: "Daily limit of recharges",
    hint: "Total of recharges per calendar day in India that did not fail. Leave empty for no limit.",
    none: "No limit",
    change: (amount) => ({ daily_limit: amount }),
  },
];

export const WALLET_SETTING: Setting = {
  kind: "choice",
  name: "wallet",
  label: "Wallet",
  hint: "A suspended wallet cannot pay for orders. Reversals are still credited to it.",
  choices: [
    { value: "active", label: "Active", effect: "The wallet pays for orders.", change: { wallet: "active" } },
    {
      value: "suspended",
      label: "Suspended",
      effect: "Every new transaction fails with wallet_suspended, code 331.",
      danger: true,
      change: { wallet: "suspended" },
    },
  ],
};

export const CALLBACK_SETTINGS: readonly Setting[] = [
  {
    kind: "url",
    name: "callback_url",
    label: "Callback URL",
    hint: "Receives final states of orders. Waiting callbacks are sent to a new URL immediately. Leave empty for none.",
    none: "None. No status callbacks are created.",
    change: (url) => ({ callback_url: url }),
  },
  {
    kind: "url",
    name: "complaint_callback_url",
    label: "Complaint callback URL",
    hint: "Receives outcomes of complaints. Leave empty for none.",
    none: "None",
    change: (url) => ({ complaint_callback_url: url }),
  },
];

/** The setting's value as form text. */
export function textOf(account: Account, setting: Setting): string {
  const value = account[setting.name];
  return value === null ? "" : String(value);
}

/** The change that the form text asks for. */
export function changeOf(setting: Setting, text: string): AccountChange {
  const typed = text.trim();
  if (setting.kind === "choice") return choiceOf(setting, typed)?.change ?? {};
  return setting.kind === "count" ? setting.change(Number(typed)) : setting.change(typed === "" ? null : typed);
}

export function choiceOf(setting: Setting, text: string): Choice | undefined {
  return setting.kind === "choice" ? setting.choices.find((choice) => choice.value === text) : undefined;
}
