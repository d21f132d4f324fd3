import type { Clock } from "../../../platform/core/clock.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { appendAudit } from "../../audit/append.ts";
import { goLive } from "./go-live.ts";
import type { ModeSetting } from "./mode.ts";
import { deleteLive, hasRealRoute, lockLiveCause } from "./mode-store.ts";

export type SettleMode = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly setting: ModeSetting;
  /** Whether another running process was started as live. */
  readonly othersAreLive: () => Promise<boolean>;
};

const ACTOR = "system";

/** Stores the mode that follows from this process's setting and the routes, so that all processes agree. */
export async function settleMode({ sql, clock, setting, othersAreLive }: SettleMode): Promise<void> {
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
