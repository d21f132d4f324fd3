/**
 * Lets every contestant run once a round, in turn, forwards and backwards by turns: what else the machine does, and
 * how far the tables have grown, then weighs on all alike.
 *
 * @param {ReadonlyMap<string, () => Promise<number>>} contestants @param {number} rounds @param {number} warmUps
 * @param {(done: number) => void} onRound
 * @returns {Promise<Map<string, number[]>>} each one's figures, round by round
 */
export async function alternate(contestants, rounds, warmUps, onRound) {
  const spent = {};
  const figures = new Map([...contestants.keys()].map((name) => [name, []]));
  // The first times are for compilers and caches, and count for nobody.
  for (let time = 0; time < warmUps; time++)
    for (const [name, measure] of contestants) {
      const t = performance.now();
      await measure();
      spent[name] = (spent[name] ?? 0) + performance.now() - t;
    }
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [...contestants] : [...contestants].reverse();
    for (const [name, measure] of order) {
      const t = performance.now();
      figures.get(name).push(await measure());
      spent[name] = (spent[name] ?? 0) + performance.now() - t;
    }
    onRound(round + 1);
  }
  console.log(Object.fromEntries(Object.entries(spent).map(([k, v]) => [k, Math.round(v)])));
  return figures;
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

export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
