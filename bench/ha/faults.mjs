import { setTimeout as wait } from "node:timers/promises";
import { until } from "./until.mjs";

const OUTAGE_MILLISECONDS = 5_000;

/**
 * What goes wrong, and how it is repaired. `cause` resolves with the moment from which orders must be accepted again.
 * `cell` is the cell whose accounts may be refused meanwhile; those of the others must not notice.
 *
 * @type {readonly { name: string, cell: number | null, cause: (world: object) => Promise<number>, repair: (world: object) => Promise<void> }[]}
 */
export const FAULTS = [
  leaderFault("leader killed", "kill", "restart"),
  leaderFault("leader frozen", "freeze", "resume"),
  leaderFault("leader cut off", "cutOff", "reconnect"),
  {
    name: "cell killed",
    cell: 1,
    cause: async ({ cell }) => {
      cell.kill();
      return performance.now();
    },
    repair: async ({ cell }) => {
      await wait(OUTAGE_MILLISECONDS);
      await cell.start();
    },
  },
  {
    name: "process killed",
    cell: null,
    cause: async ({ processes }) => {
      processes[0].kill();
      return performance.now();
    },
    repair: async ({ processes }) => {
      await wait(OUTAGE_MILLISECONDS);
      await processes[0].start();
    },
  },
  {
    name: "rolling restart",
    cell: null,
    cause: async () => performance.now(),
    repair: async ({ processes }) => {
      for (const one of processes) {
        await one.stop();
        await one.start();
      }
    },
  },
  {
    name: "upgrade and back-out",
    cell: null,
    cause: async ({ upgrade }) => {
      await upgrade();
      return performance.now();
    },
    repair: async ({ processes, nextVersion }) => {
      for (const version of [nextVersion, undefined])
        for (const one of processes) {
          await one.stop();
          await one.start(version);
        }
    },
  },
];

/** A fault of the node that leads: the other node must take over. */
function leaderFault(name, breaking, repairing) {
  let broken = null;
  return {
    name,
    cell: 0,
    cause: async ({ cluster }) => {
      broken = await cluster.leader();
      const other = cluster.nodes.find((node) => node !== broken);
      broken[breaking]();
      await until("the other node accepts writes", other.isWritable);
      return performance.now();
    },
    repair: async ({ cluster }) => {
      await wait(OUTAGE_MILLISECONDS);
      broken[repairing]();
      await cluster.healthy();
    },
  };
}
