import type { OrdersContext } from "../domain/orders/context.ts";
import { type ProviderBalances, queryBalances } from "../domain/providers/health/balances.ts";
import type { ProviderRegistry } from "../domain/providers/registry.ts";
import { claimTurn } from "../domain/reporting/claim-turn.ts";
import type { PeriodicJob } from "../platform/core/periodic-job.ts";
import type { Metrics } from "../platform/observability/metrics.ts";

/** Shows the latest known balances at providers. */
export function measureBalances(metrics: Metrics, balances: ProviderBalances): void {
  const help = "The latest known balance of the platform at a provider, in rupees.";
  const known = () =>
    [...balances.all()].flatMap(([provider, { balance }]) => (balance === null ? [] : [[provider, Number(balance) / 10_000] as const]));
  metrics.labelledGauge("corprail_provider_balance", help, "provider", known, "max");
}

const BALANCE_MILLISECONDS = 3_000;
const BALANCE_QUERY_MILLISECONDS = 300_000;

/** Writes and reads the balances at providers, and asks for them, one process at a time. */
export function balanceJobs(
  { sql, clock, log, stopping: signal }: OrdersContext,
  balances: ProviderBalances,
  registry: ProviderRegistry,
): readonly PeriodicJob[] {
  const query = async () => {
    if (!(await claimTurn(sql, "provider balances", clock.now(), BALANCE_QUERY_MILLISECONDS))) return;
    const providers = registry.providers().flatMap(({ row, connector }) => {
      const isAsked = connector !== null && row.enabled && row.connector !== "simulator";
      return isAsked ? [{ name: row.provider, connector }] : [];
    });
    const isTurn = (name: string, milliseconds: number) => claimTurn(sql, `provider balance ${name}`, clock.now(), milliseconds);
    await queryBalances({ balances, providers, isTurn, clock, log, signal });
  };
  return [
    { name: "provider balances", everyMilliseconds: BALANCE_MILLISECONDS, quietMilliseconds: 15_000, run: balances.synchronise },
    { name: "provider balance queries", everyMilliseconds: 30_000, run: query },
  ];
}
