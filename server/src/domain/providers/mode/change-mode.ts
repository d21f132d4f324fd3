import type { Clock } from "../../../platform/core/clock.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Sql, Transaction } from "../../../platform/db/connection.ts";
import { appendAudit } from "../../audit/append.ts";
import type { LiveCause, ModeSetting } from "./mode.ts";
import { deleteLive, hasRealRoute, lockLiveCause, writeLive } from "./mode-store.ts";

const ACTOR = "system";

type GoLive = { readonly actor: string; readonly cause: LiveCause; readonly at: Date; readonly details?: JsonObject };

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

type ModeToStore = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly setting: ModeSetting;
  /** Whether another running process was started as live. */
  readonly othersAreLive: () => Promise<boolean>;
};

/** Stores the mode that follows from this process's setting and the routes, so that all processes agree. */
export async function storeMode({ sql, clock, setting, othersAreLive }: ModeToStore): Promise<void> {
  const mayGoBack = setting === "trial" && !(await othersAreLive());
  await sql.begin(async (tx) => {
    const at = new Date(clock.now());
    // Routes saved by a version without modes count like any other.
    if (await hasRealRoute(tx)) await goLive(tx, { actor: ACTOR, cause: "route", at });
    else if (setting === "live") await goLive(tx, { actor: ACTOR, cause: "setting", at });
    else if (mayGoBack && (await lockLiveCause(tx)) === "setting") {
      await deleteLive(tx);
      const subject = { kind: "installation", id: "mode" } as const;
      await appendAudit(tx, at, { actor: ACTOR, action: "installation.back_to_trial", subject, details: { setting: "trial" } });
    }
  });
}
