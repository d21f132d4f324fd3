/**
 * How many milliseconds it is until the next multiple of an interval on the steady clock. Timers that end there wake an idle
 * process together: a wake-up costs more than what most timers do.
 */
export function untilMultipleOf(milliseconds: number): number {
  return Math.ceil(milliseconds - (performance.now() % milliseconds));
}
