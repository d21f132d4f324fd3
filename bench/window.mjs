/**
 * Counts what is done from one moment to another, in whole cycles. A contestant with a queue takes all requests under way
 * through their first step before any through their second, so its answers come in waves: the ramp lasts until as many
 * were answered as are under way at once, and the window for as many again. Anything shorter sees a part of a wave only,
 * and the slower the contestant, the smaller a part.
 *
 * @param {{ underWay: number, rampMilliseconds: number, windowMilliseconds: number }} options
 */
export function createWindow({ underWay, rampMilliseconds, windowMilliseconds }) {
  const startedAt = performance.now();
  let done = 0;
  let counted = 0;
  let from = 0;
  let until = 0;
  let lastAt = startedAt;
  return {
    /** Once for every answer; true as long as more requests are wanted. */
    note: (success) => {
      const now = performance.now();
      if (until > 0) return false;
      lastAt = now;
      done++;
      if (from > 0 && success) counted++;
      if (from === 0 && done >= underWay && now - startedAt >= rampMilliseconds) from = now;
      else if (from > 0 && now - from >= windowMilliseconds && counted >= underWay) until = now;
      return until === 0;
    },
    /** Null when the requests ran out before the window was full. */
    perSecond: () => (until === 0 ? null : (counted / (until - from)) * 1000),
    /** The rate over everything up to the last answer, also when the window never filled. */
    ratePerSecond: () => (done / Math.max(1, lastAt - startedAt)) * 1000,
  };
}
