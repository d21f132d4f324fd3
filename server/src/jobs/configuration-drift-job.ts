import type { Cells } from "../cells/cells.ts";
import { checkDrift } from "../domain/configuration/applied.ts";
import type { ConfigurationKind } from "../domain/configuration/configuration.ts";
import { KINDS_OF_CELLS, readConfiguration } from "../domain/configuration/read-configuration.ts";
import type { ProviderRegistry } from "../domain/providers/registry.ts";
import { claimTurn } from "../domain/reporting/claim-turn.ts";
import type { Activity } from "../platform/core/activity.ts";
import type { Clock } from "../platform/core/clock.ts";
import type { PeriodicJob } from "../platform/core/periodic-job.ts";

type Dependencies = {
  readonly activity: Pick<Activity, "note">;
  readonly cells: Cells;
  readonly providerRegistry: Pick<ProviderRegistry, "providers">;
  readonly clock: Clock;
};

const DRIFT_MILLISECONDS = 30_000;

/** Compares the settings with the configuration files that were applied. One process does it at a time. */
async function findDrift({ activity, cells, providerRegistry, clock }: Dependencies): Promise<void> {
  const sql = cells.home.longWork;
  // The clients of a cell that does not answer would seem to be missing.
  if (cells.troubles().length > 0) return;
  if (!(await claimTurn(sql, "configuration drift", clock.now(), DRIFT_MILLISECONDS * 0.8))) return;
  const secrets = new Map(providerRegistry.providers().map((one) => [one.row.provider, one.secrets]));
  const sources = { now: clock.now(), secretsOf: (provider: string) => secrets.get(provider) ?? [] };
  const read = async (kinds: readonly ConfigurationKind[]) => {
    const ofCells = kinds.filter((kind) => KINDS_OF_CELLS.includes(kind));
    const others = cells.all().filter((cell) => cell !== cells.home);
    const all = await Promise.all([
      readConfiguration({ ...sources, sql }, kinds),
      ...others.map((cell) => readConfiguration({ ...sources, sql: cell.longWork }, ofCells)),
    ]);
    return all.flat();
  };
  // The alerts are checked soon then.
  if (await checkDrift({ sql, read })) activity.note();
}

export function driftJob(dependencies: Dependencies): PeriodicJob {
  return { name: "configuration drift", everyMilliseconds: DRIFT_MILLISECONDS, run: () => findDrift(dependencies) };
}
