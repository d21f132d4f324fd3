import { formatMoney } from "../../platform/core/money.ts";
import type { JsonObject, JsonValue } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import type { Account } from "./account.ts";
import { changeUnderLock, type Decided } from "./account-change.ts";
import type { AccountsContext, Conflict, Done, NotFound, WithReason } from "./context.ts";
import {
  type AccountRow,
  type AccountSettings,
  advanceCallbackEpoch,
  hasCurrentCredential,
  readCallbackEpoch,
  updateAccount,
} from "./store.ts";

type Settings = Pick<
  Account,
  | "standing"
  | "kyc"
  | "agreement"
  | "wallet"
  | "signingRequired"
  | "moneyPerMinute"
  | "getPerMinute"
  | "dailyLimit"
  | "callbackUrl"
  | "complaintCallbackUrl"
  | "callbackVersion"
  | "logBodies"
>;

/** Only the settings to change. The caller has checked the URLs, because that is slow. */
export type AccountChange = WithReason & { readonly accountId: string } & {
  readonly [Name in keyof Settings]?: Settings[Name] | undefined;
} & {
  /** Refuses the change unless the callback settings have this version, because they were checked without the lock. */
  readonly onlyAtCallbackEpoch?: number | undefined;
  /** Another module's reason to refuse the change, read under the lock. */
  readonly guard?: ((tx: Transaction) => Promise<string | null>) | undefined;
};
export type ChangeAccountResult = Done | NotFound | Conflict;

const COLUMNS = {
  standing: "standing",
  kyc: "kyc",
  agreement: "agreement",
  wallet: "wallet",
  signingRequired: "signing_required",
  moneyPerMinute: "money_per_minute",
  getPerMinute: "get_per_minute",
  dailyLimit: "daily_limit",
  callbackUrl: "callback_url",
  complaintCallbackUrl: "complaint_callback_url",
  callbackVersion: "callback_version",
  logBodies: "log_bodies",
} as const satisfies Record<keyof Settings, keyof AccountSettings>;

export async function changeAccount(ctx: AccountsContext, actor: string, input: AccountChange): Promise<ChangeAccountResult> {
  return await changeUnderLock<Done | Conflict>(ctx, actor, input, async (tx, account, at) => {
    if (account.closed_at) return CLOSED;
    if (!(await isAtEpoch(tx, input))) return SETTINGS_CHANGED;
    const refused = await input.guard?.(tx);
    if (typeof refused === "string") return { result: { kind: "conflict", reason: refused }, audit: null };
    const changed = difference(account, input);
    if (changed.callback_version === 3 && !(await hasCurrentCredential(tx, account.account_id, "callback_secret")))
      return NO_CALLBACK_SECRET;
    if (Object.keys(changed).length === 0) return UNCHANGED;
    await updateAccount(tx, account.account_id, changed, at);
    if (CALLBACK_COLUMNS.some((column) => column in changed)) await advanceCallbackEpoch(tx, account.account_id);
    return { result: { kind: "done" }, audit: { action: "account.changed", details: described(account, changed) } };
  });
}

async function isAtEpoch(tx: Transaction, { accountId, onlyAtCallbackEpoch }: AccountChange): Promise<boolean> {
  return onlyAtCallbackEpoch === undefined || (await readCallbackEpoch(tx, accountId)) === onlyAtCallbackEpoch;
}

const SETTINGS_CHANGED: Decided<Conflict> = {
  result: { kind: "conflict", reason: "The callback settings were changed in the meantime." },
  audit: null,
};

const CALLBACK_COLUMNS = ["callback_url", "complaint_callback_url", "callback_version"] as const;

const UNCHANGED: Decided<Done> = { result: { kind: "done" }, audit: null };

const CLOSED: Decided<Conflict> = { result: { kind: "conflict", reason: "The account is closed." }, audit: null };

const NO_CALLBACK_SECRET: Decided<Conflict> = {
  result: {
    kind: "conflict",
    reason: "Callback version 3 is signed with a callback secret, and the account has none. Create a callback secret first.",
  },
  audit: null,
};

function difference(account: AccountRow, input: AccountChange): Partial<AccountSettings> {
  const entries = (Object.keys(COLUMNS) as (keyof Settings)[])
    .map((name) => [COLUMNS[name], input[name]] as const)
    .filter(([column, value]) => value !== undefined && value !== account[column]);
  return Object.fromEntries(entries);
}

function described(account: AccountRow, changed: Partial<AccountSettings>): JsonObject {
  const names = Object.keys(changed) as (keyof AccountSettings)[];
  return { changes: Object.fromEntries(names.map((name) => [name, { from: written(account[name]), to: written(changed[name] ?? null) }])) };
}

function written(value: AccountSettings[keyof AccountSettings]): JsonValue {
  return typeof value === "bigint" ? formatMoney(value) : value;
}
