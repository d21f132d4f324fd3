import type { ReactNode } from "react";
import { Status } from "../../ui/formats/badge.tsx";
import type { Account } from "./account.ts";

/** The account's status, or the most important reason why its calls are refused. */
export function AccountStatus({ account }: { readonly account: Account }): ReactNode {
  if (account.closed_at !== null) return <Status value="off" label="Closed" />;
  if (account.standing !== "active")
    return <Status value={account.standing === "paused" ? "paused" : "off"} label={STANDINGS[account.standing]} />;
  if (account.kyc === "pending") return <Status value="waiting" label="KYC pending" />;
  if (account.agreement === "pending") return <Status value="waiting" label="Agreement pending" />;
  if (account.wallet === "suspended") return <Status value="paused" label="Wallet suspended" />;
  return <Status value="active" />;
}

const STANDINGS = { active: "Active", paused: "Paused", inactive: "Inactive" } as const;
