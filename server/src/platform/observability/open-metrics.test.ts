import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";
import { toOpenMetrics, wantsOpenMetrics } from "./open-metrics.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

test("in the OpenMetrics format a bucket carries the newest trace that fell into it, and only that bucket", async () => {
  const metrics = createMetrics();
  metrics.request("POST", "/recharge", 200, 0.004);
  metrics.exemplars.keep({ method: "POST", route: "/recharge", status: 200, seconds: 0.004, traceId: TRACE });
  metrics.refusal("busy");
  const lines = toOpenMetrics(await metrics.text(), metrics.exemplars).split("\n");
  const buckets = lines.filter((line) => line.startsWith("corprail_http_request_seconds_bucket"));
  const marked = buckets.filter((line) => line.includes("trace_id"));
  expect(marked).toHaveLength(1);
  expect(marked[0]).toMatch(/le="0.005".*\} 1 # \{trace_id="4bf92f3577b34da6a3ce929d0e0e4736"\} 0.004 \d+\.\d{3}$/);
  expect(lines).toContain("# TYPE corprail_refusals counter");
  expect(lines).toContain('corprail_refusals_total{error="busy"} 1');
  expect(lines.at(-2)).toBe("# EOF");
});

test("the format is chosen by the Accept header", () => {
  expect(wantsOpenMetrics("application/openmetrics-text;version=1.0.0,text/plain;q=0.5")).toBe(true);
  expect(wantsOpenMetrics("text/plain")).toBe(false);
  expect(wantsOpenMetrics(undefined)).toBe(false);
});
