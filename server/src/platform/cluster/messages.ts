import type { MetricsSnapshot } from "../observability/combine-metrics.ts";

/** From a worker to the primary process. */
export type FromWorker =
  | { readonly kind: "ready"; readonly port: number }
  /** Somebody asked this worker for the metrics of all of them. */
  | { readonly kind: "scrape"; readonly id: number }
  /** This worker's own metrics, on request. */
  | { readonly kind: "snapshot"; readonly id: number; readonly snapshot: MetricsSnapshot }
  /** Its counters at its end. */
  | { readonly kind: "totals"; readonly snapshot: MetricsSnapshot };

/** From the primary process to a worker. */
export type ToWorker =
  | { readonly kind: "collect"; readonly id: number }
  | { readonly kind: "scraped"; readonly id: number; readonly text: string }
  /** Another worker took its place: finish what is in progress and exit. */
  | { readonly kind: "retire" };
