import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import { appendAudit } from "../../audit/append.ts";
import type { LiveCause } from "./mode.ts";
import { lockLiveCause, writeLive } from "./mode-store.ts";

export type GoLive = { readonly actor: string; readonly cause: LiveCause; readonly at: Date; readonly details?: JsonObject };

/** Makes the installation live in the caller's transaction. Returns whether it was in trial mode before. */
export async function goLive(tx: Transaction, { actor, cause, at, details = {} }: GoLive): Promise<boolean> {
  const before = await lockLiveCause(tx);
  if (before === "route" || before === cause) return false;
  await writeLive(tx, cause, at);
  await appendAudit(tx, at, {
    actor,
    // Live mode caused by a setting ends with the setting; live mode caused by a route is permanent.
    action: before === null ? "installation.went_live" : "installation.stays_live",
    subject: { kind: "installation", id: "mode" },
    details: { cause, ...details },
  });
  return before === null;
}
