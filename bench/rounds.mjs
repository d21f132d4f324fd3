/**
 * Lets every contestant run once a round, in turn, forwards and backwards by turns: what else the machine does, and
 * how far the tables have grown, then weighs on all alike.
 *
 * @typedef {(stretch?: number) => Promise<number>} Measure a round, so many times as long
 * @param {ReadonlyMap<string, Measure>} contestants @param {number} warmUp
 * @param {(done: number) => boolean | Promise<boolean>} isEnough called after each round
 * @returns {Promise<Map<string, number[]>>} each one's figures, round by round
 */
export async function alternate(contestants, warmUp, isEnough) {
  const figures = new Map([...contestants.keys()].map((name) => [name, []]));
  // The first time is for compilers and caches, and counts for nobody.
  for (const measure of contestants.values()) await measure(warmUp);
  for (let round = 0; ; round++) {
    const order = round % 2 === 0 ? [...contestants] : [...contestants].reverse();
    for (const [name, measure] of order) figures.get(name).push(await measure());
    if (await isEnough(round + 1)) return figures;
  }
}

/** The middle of what each round gave: neighbours in time are compared, so a slow moment hits both sides. */
export function medianRatio(figures, against) {
  return median(figures.map((figure, round) => figure / against[round]));
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** To hundredths. */
export function round(value) {
  return Math.round(value * 100) / 100;
}

export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
