import { connectClient } from "./connection.mjs";
import { monotonic } from "./monotonic.mjs";

const STEP_MILLISECONDS = 1;

/**
 * Requests leave at their times whether or not the ones before are answered, and latency counts from when a request
 * was due: a service that falls behind cannot hide it by slowing its client down.
 *
 * @param {{ port: number, connections: number, perSecond: number }} pace @param {readonly Buffer[]} requests
 * @returns {Promise<{ replies: { from: number, until: number }[], failed: number }>} from when a request was due until its reply
 */
export async function runOpenLoop(pace, requests) {
  const replies = [];
  const waiting = [];
  const idle = [];
  let failed = 0;
  await new Promise((resolve, reject) => {
    const opened = Array.from({ length: pace.connections }, () => {
      const slot = { connection: null, dueAt: 0 };
      slot.connection = connectClient(
        pace.port,
        (outcome) => {
          replies.push({ from: monotonic(slot.dueAt), until: monotonic(performance.now()) });
          if (!outcome.success) failed++;
          if (replies.length === requests.length) resolve();
          const next = waiting.shift();
          if (next) start(slot, next);
          else idle.push(slot);
        },
        reject,
      );
      idle.push(slot);
      return slot.connection.opened;
    });
    Promise.all(opened).then(() => feed(pace, requests, idle, waiting), reject);
  });
  for (const slot of idle) slot.connection.close();
  return { replies, failed };
}

function start(slot, request) {
  slot.dueAt = request.dueAt;
  slot.connection.send(request.bytes);
}

function feed(pace, requests, idle, waiting) {
  const startedAt = performance.now();
  let next = 0;
  const timer = setInterval(() => {
    const due = Math.min(requests.length, 1 + Math.floor(((performance.now() - startedAt) / 1000) * pace.perSecond));
    for (; next < due; next++) {
      const request = { bytes: requests[next], dueAt: startedAt + (next / pace.perSecond) * 1000 };
      // The one that has been idle for longest: the service closes connections that send nothing for a while.
      const slot = idle.shift();
      if (slot) start(slot, request);
      else waiting.push(request);
    }
    if (next === requests.length) clearInterval(timer);
  }, STEP_MILLISECONDS);
}
