import { expect, test } from "vitest";
import { combine, combinedText, takeSnapshot, takeTotals, totalsOf } from "./combine-metrics.ts";
import { createMetrics, type Metrics } from "./metrics.ts";

/** The metrics of one process, with figures that differ between processes. */
function processOf(figure: number): Metrics {
  const metrics = createMetrics();
  for (let made = 0; made < figure; made++) metrics.request("GET", "/balance", 200, 0.02);
  metrics.refusal("busy");
  metrics.gauge("own_figure", "Own.", () => figure);
  metrics.gauge("shared_figure", "Shared.", () => figure, "max");
  metrics.labelledGauge("shared_by_name", "Shared.", "name", () => [["a", figure]], "max");
  return metrics;
}

const value = (text: string, start: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(start))
      ?.slice(start.length),
  );

test("counters and histograms of several processes are added up; what each knows of the installation is not", async () => {
  const text = await combinedText([await takeSnapshot(processOf(2).registry), await takeSnapshot(processOf(3).registry)]);
  expect(value(text, 'corprail_http_request_seconds_count{method="GET",route="/balance",status="200"} ')).toBe(5);
  expect(value(text, 'corprail_http_request_seconds_bucket{method="GET",route="/balance",status="200",le="0.025"} ')).toBe(5);
  expect(value(text, 'corprail_http_request_seconds_bucket{method="GET",route="/balance",status="200",le="0.01"} ')).toBe(0);
  expect(value(text, 'corprail_refusals_total{error="busy"} ')).toBe(2);
  expect([value(text, "own_figure "), value(text, "shared_figure "), value(text, 'shared_by_name{name="a"} ')]).toEqual([5, 3, 3]);
});

test("the totals of a process that ended are added to the others, its gauges are not", async () => {
  const ended = totalsOf(await takeSnapshot(processOf(4).registry));
  const text = await combinedText([await combine([[], ended]), await takeSnapshot(processOf(3).registry)]);
  expect(value(text, 'corprail_http_request_seconds_count{method="GET",route="/balance",status="200"} ')).toBe(7);
  expect(value(text, "own_figure ")).toBe(3);
});

test("totals are taken without asking any gauge", async () => {
  const metrics = processOf(1);
  metrics.gauge("gone", "Its database is closed.", () => {
    throw new Error("closed");
  });
  const names = (await takeTotals(metrics.registry)).map((metric) => ("name" in metric ? metric.name : null));
  expect(names).toEqual(expect.arrayContaining(["corprail_http_request_seconds", "corprail_refusals_total"]));
  expect(names).not.toContain("own_figure");
});
