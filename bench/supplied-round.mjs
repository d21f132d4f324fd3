const MOST_TRIES = 4;

/**
 * A round needs a supply of prepared work that lasts until its window ends. A supply that ran out is doubled and the
 * round repeated; when it still runs out, the last try's own rate counts, so that a noisy machine never ends the run.
 *
 * @template {{ perSecond: number | null, ratePerSecond: number }} Result
 * @param {{ firstGuess: number, run: (expectedPerSecond: number, stretch: number) => Promise<Result> }} round
 * @returns {(stretch: number) => Promise<{ perSecond: number, result: Result }>}
 */
export function suppliedRound({ firstGuess, run }) {
  let expected = firstGuess;
  return async (stretch) => {
    let result = await run(expected, stretch);
    for (let tried = 1; result.perSecond === null && tried < MOST_TRIES; tried++) {
      expected *= 2;
      result = await run(expected, stretch);
    }
    const perSecond = result.perSecond ?? result.ratePerSecond;
    expected = Math.max(expected / 2, perSecond);
    return { perSecond, result };
  };
}
