import { connect } from "node:net";
import { connectClient } from "./connection.mjs";

const STEP_MILLISECONDS = 1;
const OPENING_MILLISECONDS = 50;

/**
 * Far more than the service carries: requests leave at their times on any idle connection, and when none is idle they are
 * not sent at all. Latency counts from when a request was sent. Answers which requests were made, which
 * were shed, and of which the reply leaves it open.
 *
 * @param {{ port: number, connections: number, perSecond: number }} pace @param {readonly Buffer[]} requests
 */
export async function runFlood(pace, requests) {
  const idle = [];
  const made = { indexes: [], milliseconds: [] };
  const shed = { indexes: [], milliseconds: [] };
  const open = { indexes: [], milliseconds: [] };
  const statuses = {};
  let underWay = 0;
  const openSlot = async () => {
    const slot = { connection: null, index: -1, sentAt: 0 };
    slot.connection = connectClient(
      pace.port,
      (outcome) => {
        // A connection that was idle for too long is closed with a notice.
        if (slot.index < 0) {
          statuses["idle"] = (statuses["idle"] ?? 0) + 1;
          idle.splice(idle.indexOf(slot), 1);
          return;
        }
        const kept = outcome.success ? made : outcome.isOpen ? open : shed;
        kept.indexes.push(slot.index);
        kept.milliseconds.push(performance.now() - slot.sentAt);
        statuses[outcome.status] = (statuses[outcome.status] ?? 0) + 1;
        underWay--;
        slot.index = -1;
        idle.push(slot);
      },
      (error) => {
        statuses[error.code] = (statuses[error.code] ?? 0) + 1;
        underWay--;
      },
    );
    await slot.connection.opened;
    idle.push(slot);
    return slot;
  };
  const slots = [];
  // Clients do not all connect in the same moment, and a connection is there for the client before the service has taken it.
  while (slots.length < pace.connections) {
    slots.push(...(await Promise.all(Array.from({ length: Math.min(500, pace.connections - slots.length) }, openSlot))));
    await new Promise((resolve) => setTimeout(resolve, OPENING_MILLISECONDS));
  }
  const send = (index) => {
    const slot = idle.pop();
    if (!slot) return false;
    slot.index = index;
    slot.sentAt = performance.now();
    slot.connection.send(requests[index]);
    underWay++;
    return true;
  };
  const { sent, unsent, seconds } = await feed(pace, requests.length, send);
  const endedAt = performance.now();
  while (underWay > 0 && performance.now() - endedAt < 60_000) await new Promise((resolve) => setTimeout(resolve, 5));
  const drainMilliseconds = performance.now() - endedAt;
  for (const slot of slots) slot.connection.close();
  return { sent, unsent, seconds, unanswered: underWay, drainMilliseconds, statuses, made, shed, open };
}

function feed(pace, count, send) {
  const startedAt = performance.now();
  let [next, sent, unsent] = [0, 0, 0];
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(count, 1 + Math.floor(((performance.now() - startedAt) / 1000) * pace.perSecond));
      for (; next < due; next++) {
        if (send(next)) sent++;
        else unsent++;
      }
      if (next < count) return;
      clearInterval(timer);
      resolve({ sent, unsent, seconds: (performance.now() - startedAt) / 1000 });
    }, STEP_MILLISECONDS);
  });
}

/**
 * Pipelines all requests on a few connections and never reads a byte of what comes back.
 *
 * @param {{ port: number, connections: number, milliseconds: number }} how @param {readonly Buffer[]} requests
 */
export async function runUnread({ port, connections, milliseconds }, requests) {
  const share = Math.ceil(requests.length / connections);
  const sockets = Array.from({ length: connections }, (_, at) => {
    const socket = connect({ port, host: "127.0.0.1" }).pause();
    socket.on("error", () => {});
    socket.write(Buffer.concat(requests.slice(at * share, (at + 1) * share)));
    return socket;
  });
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  for (const socket of sockets) socket.destroy();
}
