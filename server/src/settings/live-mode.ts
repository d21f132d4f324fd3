import { hostname } from "node:os";
import { isRunning } from "../domain/orders/recovery/heartbeat.ts";
import { storeMode } from "../domain/providers/mode/change-mode.ts";
import { MODE_WORDS, type ModeSetting, modeConflict } from "../domain/providers/mode/mode.ts";
import type { ProviderRegistry } from "../domain/providers/registry.ts";
import { readProcesses } from "../domain/reporting/system/processes.ts";
import type { Clock } from "../platform/core/clock.ts";
import type { Sql } from "../platform/db/connection.ts";
import type { Log } from "../platform/observability/log.ts";

export type ModeOptions = { readonly sql: Sql; readonly clock: Clock; readonly setting: ModeSetting };

/** Determines and stores whether the installation is in trial or live mode. Must run before anything reads the mode. */
export async function recordLiveMode({ sql, clock, setting }: ModeOptions): Promise<void> {
  const othersAreLive = async () => {
    const processes = await readProcesses(sql, clock.now());
    return processes.some(
      ({ isAlive, host, pid, report }) => isAlive && report?.set_live === true && (host !== hostname() || isRunning(pid)),
    );
  };
  await storeMode({ sql, clock, setting, othersAreLive });
}

/** Stores live mode again if this process is configured as live and another process has reset the stored mode. */
export function keepLiveMode(options: ModeOptions, providerRegistry: Pick<ProviderRegistry, "modeFacts">): () => Promise<void> {
  return async () => {
    if (options.setting === "live" && providerRegistry.modeFacts().stored === null) await recordLiveMode(options);
  };
}

/** Logs the mode on the first call and whenever it has changed since. */
export function createModeLogger(log: Log, providerRegistry: Pick<ProviderRegistry, "mode" | "modeFacts">): () => void {
  let loggedMode: string | null = null;
  return () => {
    const mode = providerRegistry.mode();
    if (mode === loggedMode) return;
    loggedMode = mode;
    log.info({ mode }, MODE_WORDS[mode]);
    const conflict = modeConflict(providerRegistry.modeFacts());
    if (conflict !== null) log.warn({ mode }, conflict);
  };
}
