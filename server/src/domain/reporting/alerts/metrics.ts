import { Gauge } from "prom-client";
import type { Sql } from "../../../platform/db/connection.ts";
import type { Metrics } from "../../../platform/observability/metrics.ts";
import { ALERT_KINDS } from "./alert.ts";
import { countActiveAlerts } from "./store.ts";

/** Read from the database at each scrape, so that every process reports the same. */
export function alertMetrics(sql: Sql, { registry }: Metrics): void {
  const gauge: Gauge<"kind"> = new Gauge({
    name: "corprail_alerts_open",
    help: "Open and acknowledged alerts, by kind.",
    labelNames: ["kind"],
    registers: [registry],
    collect: async () => {
      // Without a database there is nothing to report, but the other metrics must stay available.
      const counts = await countActiveAlerts(sql).catch(() => null);
      for (const kind of Object.keys(ALERT_KINDS)) gauge.set({ kind }, counts === null ? Number.NaN : (counts.get(kind) ?? 0));
    },
  });
}
