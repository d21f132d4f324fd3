import { suppliedRound } from "../supplied-round.mjs";

const UNDER_WAY = 256;
const OLDEST = 1_000;
// More than the round before needed, so that the supply of rows lasts.
const SPARE = 1.5;
const FIRST_GUESS = 4_000;

/**
 * One round after the other of a contestant that delivers: the queue is filled, the engine opened, what the receivers
 * get counted, the engine closed. With `hung`, the first receiver never answers and owns the oldest rows.
 *
 * @param {{ worker: { ask: Function }, receiver: { ask: Function }, secrets: readonly string[] }} contestant
 */
export function deliveryRound({ worker, receiver, secrets }, { options, hung = false, onErrors }) {
  const { deliveryRampMilliseconds: rampMilliseconds } = options;
  const run = async (expected, stretch) => {
    const windowMilliseconds = stretch * options.windowMilliseconds;
    const count = Math.ceil((expected * SPARE * (rampMilliseconds + windowMilliseconds)) / 1000) + 4 * UNDER_WAY;
    await worker.ask("fill", { count, oldest: hung ? OLDEST : 0 });
    const window = { underWay: UNDER_WAY, rampMilliseconds, windowMilliseconds };
    await receiver.ask("begin", { window, hung: hung ? 0 : null, secrets });
    await worker.ask("start");
    const rates = await receiver.ask("ended");
    const logged = await worker.ask("stop");
    const { received, unsigned } = await receiver.ask("counts");
    if (unsigned > 0 || logged !== received) onErrors(unsigned + Math.abs(received - logged), { unsigned, received, logged });
    return rates;
  };
  const measure = suppliedRound({ firstGuess: FIRST_GUESS, run });
  return async (stretch = 1) => (await measure(stretch)).perSecond;
}
