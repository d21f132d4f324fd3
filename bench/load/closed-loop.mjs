import { createWindow } from "../window.mjs";
import { connectClient } from "./connection.mjs";

/**
 * @typedef {{ ports: readonly number[], connections: number, rampMilliseconds: number, windowMilliseconds: number }} Round
 * @typedef {{ perSecond: number | null, ratePerSecond: number, sent: number, failed: number, statuses: Record<string, number> }} RoundResult
 */

/**
 * Every connection sends its next request as soon as the last is answered. What is still under way when the window ends
 * is waited for, so that rounds do not run into each other.
 *
 * @param {Round} round @param {readonly Buffer[]} requests @returns {Promise<RoundResult>}
 */
export async function runClosedLoop(round, requests) {
  const state = { next: 0, underWay: 0, failed: 0, statuses: {} };
  let window = null;
  const ended = withResolvers();
  const connections = Array.from({ length: round.connections }, (_, at) => {
    const connection = connectClient(
      round.ports[at % round.ports.length],
      (outcome) => {
        if (!outcome.success) noteFailure(state, outcome);
        if (window.note(outcome.success) && state.next < requests.length) connection.send(requests[state.next++]);
        else if (--state.underWay === 0) ended.resolve();
      },
      ended.reject,
    );
    return connection;
  });
  await Promise.race([Promise.all(connections.map((one) => one.opened)), ended.promise]);
  window = createWindow({ ...round, underWay: round.connections });
  for (const connection of connections) {
    state.underWay++;
    connection.send(requests[state.next++]);
  }
  await ended.promise;
  for (const connection of connections) connection.close();
  return {
    perSecond: window.perSecond(),
    ratePerSecond: window.ratePerSecond(),
    sent: state.next,
    failed: state.failed,
    statuses: state.statuses,
  };
}

function noteFailure(state, outcome) {
  state.failed++;
  state.statuses[outcome.status] = (state.statuses[outcome.status] ?? 0) + 1;
}

function withResolvers() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}
