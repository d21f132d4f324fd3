import { openConnection } from "./connection.mjs";

/**
 * @typedef {{ ports: readonly number[], connections: number, rampMilliseconds: number, windowMilliseconds: number }} Round
 * @typedef {{ perSecond: number, sent: number, failed: number, statuses: Record<string, number> }} RoundResult
 */

/**
 * Every connection sends its next request as soon as the last is answered. Successes are counted from the end of the
 * ramp to the end of the window; what is still under way then is waited for, so that rounds do not run into each other.
 *
 * @param {Round} round @param {readonly Buffer[]} requests @returns {Promise<RoundResult>}
 */
export async function runClosedLoop(round, requests) {
  const state = { next: 0, underWay: 0, counted: 0, failed: 0, statuses: {}, from: 0, until: 0, last: 0 };
  const ended = withResolvers();
  const connections = Array.from({ length: round.connections }, (_, at) => {
    const connection = openConnection(
      round.ports[at % round.ports.length],
      (outcome) => {
        take(state, outcome);
        sendNext(state, requests, connection, ended);
      },
      ended.reject,
    );
    return connection;
  });
  await Promise.race([Promise.all(connections.map((one) => one.opened)), ended.promise]);
  state.from = performance.now() + round.rampMilliseconds;
  state.until = state.from + round.windowMilliseconds;
  for (const connection of connections) {
    state.underWay++;
    sendNext(state, requests, connection, ended);
  }
  await ended.promise;
  for (const connection of connections) connection.close();
  // The supply may have ended before the window did.
  const seconds = (Math.min(state.until, state.last) - state.from) / 1000;
  return { perSecond: state.counted / seconds, sent: state.next, failed: state.failed, statuses: state.statuses };
}

function sendNext(state, requests, connection, ended) {
  if (performance.now() < state.until && state.next < requests.length) {
    connection.send(requests[state.next++]);
    return;
  }
  if (state.last === 0) state.last = performance.now();
  state.underWay--;
  if (state.underWay === 0) ended.resolve();
}

function take(state, outcome) {
  const now = performance.now();
  if (!outcome.success) {
    state.failed++;
    state.statuses[outcome.status] = (state.statuses[outcome.status] ?? 0) + 1;
  } else if (now >= state.from && now < state.until && state.last === 0) state.counted++;
}

function withResolvers() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}
