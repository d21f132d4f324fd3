import type { ReactNode } from "react";
import { Status } from "../../ui/badge.tsx";
import type { Account } from "./account.ts";

/** What stands against this account's calls, the heaviest first. */
export function Standing({ account }: { readonly account: Account }): ReactNode {
  if (account.closed_at !== null) return <Status value="off" label="Closed for good" />;
  if (account.standing !== "active")
    return <Status value={account.standing === "paused" ? "paused" : "off"} label={STANDINGS[account.standing]} />;
  if (account.kyc === "pending") return <Status value="waiting" label="KYC pending" />;
  if (account.agreement === "pending") return <Status value="waiting" label="Agreement pending" />;
  if (account.wallet === "suspended") return <Status value="paused" label="Wallet suspended" />;
  return <Status value="active" />;
}

const STANDINGS = { active: "Active", paused: "Paused", inactive: "Inactive" } as const;
