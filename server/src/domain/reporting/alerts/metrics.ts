import { Gauge } from "prom-client";
import type { Sql } from "../../../platform/db/connection.ts";
import type { Metrics } from "../../../platform/observability/metrics.ts";
import { ALERT_KINDS } from "./alert.ts";
import { countStanding } from "./store.ts";

/** Read when somebody looks, so that every process tells the same. */
export function alertMetrics(sql: Sql, { registry }: Metrics): void {
  const gauge: Gauge<"kind"> = new Gauge({
    name: "corprail_alerts_open",
    help: "Alerts that are not over, by kind, whether somebody has acknowledged them or not.",
    labelNames: ["kind"],
    registers: [registry],
    collect: async () => {
      // Without a database there is nothing to tell; the other figures must still come.
      const counts = await countStanding(sql).catch(() => null);
      for (const kind of Object.keys(ALERT_KINDS)) gauge.set({ kind }, counts === null ? Number.NaN : (counts.get(kind) ?? 0));
    },
  });
}
