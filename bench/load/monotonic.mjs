const OFFSET = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** A time of `performance.now()`, in milliseconds on the clock that all processes of the machine share. */
export function monotonic(milliseconds) {
  return OFFSET + milliseconds;
}
