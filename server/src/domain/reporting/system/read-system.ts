import { sharedNow } from "../../../platform/core/clock.ts";
import type { Replica } from "../../../platform/db/servers/replica.ts";
import { type DatabaseServerStatus, readServerStatus } from "../../../platform/db/servers/server-status.ts";
import { type MasterKeyState, readMasterKey } from "../../accounts/master-key/read-master-key.ts";
import { readSigningState } from "../../signing/read-signing.ts";
import type { OverviewContext } from "../context.ts";
import { type Part, partsOf } from "./parts.ts";
import { type ProcessRow, readProcesses } from "./processes.ts";

/** A setting as it may be shown; null when it is not set. Of a secret only whether it is set. */
export type ShownSetting = { readonly name: string; readonly value: string | null };

export type SystemContext = Pick<OverviewContext, "sql" | "clock" | "vault"> & {
  readonly processId: string;
  readonly version: string;
  readonly settings: readonly ShownSetting[];
  readonly mode: () => SystemMode;
  /** Why the database accepts no writes, as /readyz says it; null while it does. */
  readonly databaseTrouble: () => string | null;
  readonly replica?: Pick<Replica, "lagSeconds"> | undefined;
};

/** Trial or live, and why it differs from the configured mode. */
export type SystemMode = { readonly mode: "trial" | "live"; readonly conflict: string | null };

export type System = {
  readonly mode: SystemMode;
  readonly at: number;
  readonly version: string;
  readonly processId: string;
  readonly processes: readonly ProcessRow[];
  readonly database: DatabaseServerStatus;
  readonly masterKey: MasterKeyState | null;
  readonly parts: readonly Part[];
  readonly settings: readonly ShownSetting[];
};

export async function readSystem(ctx: SystemContext): Promise<System> {
  const at = ctx.clock.now();
  const [processes, database, masterKey, signing] = await Promise.all([
    readProcesses(ctx.sql, sharedNow(ctx.clock)),
    readServerStatus(ctx.sql),
    readMasterKey(ctx),
    readSigningState(ctx.sql, at),
  ]);
  const { replica } = ctx;
  const parts = partsOf({ processes, database, databaseTrouble: ctx.databaseTrouble(), masterKey, replica, signing });
  return {
    at,
    version: ctx.version,
    processId: ctx.processId,
    processes,
    database,
    masterKey,
    parts,
    settings: ctx.settings,
    mode: ctx.mode(),
  };
}
