import { median, percentile, round } from "./rounds.mjs";

// A moment is slow if the probe's work took so many times the median. Interrupts, which count for whoever runs, can double it.
const SLOW = 3;
// Twice the probe's interval: the core may have become slow right after the reading before.
const MARGIN_MILLISECONDS = 8;

/**
 * On virtual machines each core may become ten times slower for some 30 ms, every second or two, whatever runs on it.
 * That decides the slowest hundredth of all replies, and says nothing about the service. So latencies are given twice,
 * with and without what was under way at such a moment. What a service delays by itself stays in both.
 *
 * @template Result @param {Awaited<ReturnType<typeof import("./setup/world.mjs").startEnvironment>>} world
 * @param {() => Promise<Result>} measure
 * @returns {Promise<{ result: Result, slow: SlowMoments }>}
 */
export async function watchMachine(world, measure) {
  const probes = await world.speedProbes();
  await Promise.all(probes.map((probe) => probe.ask("start")));
  const result = await measure();
  const readings = await Promise.all(probes.map((probe) => probe.ask("stop")));
  return { result, slow: combine(readings.map(findSlowMoments)) };
}

/**
 * @typedef {{ percent: number, overlap: (span: Span) => boolean }} SlowMoments
 * @typedef {{ from: number, until: number }} Span in milliseconds of the shared clock
 */

/** @param {readonly SlowMoments[]} cores @returns {SlowMoments} */
function combine(cores) {
  return {
    percent: cores.reduce((sum, { percent }) => sum + percent, 0) / cores.length,
    overlap: (span) => cores.some(({ overlap }) => overlap(span)),
  };
}

/** @param {readonly { at: number, microseconds: number }[]} readings in their order @returns {SlowMoments} */
function findSlowMoments(readings) {
  const limit = SLOW * median(readings.map(({ microseconds }) => microseconds));
  const moments = readings.filter(({ microseconds }) => microseconds > limit).map(({ at }) => at);
  return {
    percent: (100 * moments.length) / readings.length,
    overlap: ({ from, until }) => {
      const next = moments[firstAfter(moments, from - MARGIN_MILLISECONDS)];
      return next !== undefined && next < until + MARGIN_MILLISECONDS;
    },
  };
}

/** Percentiles of all spans, and of those in which the machine was not slow. @param {readonly Span[]} spans @param {SlowMoments} slow */
export function latencies(spans, slow) {
  const others = spans.filter((span) => !slow.overlap(span));
  return {
    ...percentiles(spans),
    "without the machine's slow moments": { ...percentiles(others), leftOutPercent: round(100 - (100 * others.length) / spans.length) },
    machineSlowPercent: round(slow.percent),
  };
}

function percentiles(spans) {
  const sorted = spans.map(({ from, until }) => until - from).sort((a, b) => a - b);
  return { p50Milliseconds: round(percentile(sorted, 0.5)), p99Milliseconds: round(percentile(sorted, 0.99)) };
}

/** The index of the first of the sorted values that is greater. */
function firstAfter(values, limit) {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
