// The load generator's own process: it signs a round's requests before the round, then sends them.
import { serveTasks } from "../serve-tasks.mjs";
import { runClosedLoop } from "./closed-loop.mjs";
import { runFlood, runUnread } from "./flood.mjs";
import { runOpenLoop } from "./open-loop.mjs";
import { signLookUps, signRecharges } from "./requests.mjs";

const MOST_REMEMBERED = 20_000;
let requests = [];
/** What the current `requests` would make, in their order. */
let signed = [];
/** What can be looked up, by the group of accounts that made it. */
const placed = new Map();

const TASKS = {
  signRecharges: ({ accounts, count, group, target }) => {
    ({ requests, placed: signed } = signRecharges(accounts, count, target));
    signed = signed.map((one) => ({ ...one, group }));
  },
  signLookUps: ({ accounts, count, group }) => {
    signed = [];
    requests = signLookUps(accounts, placed.get(group) ?? [], count);
  },
  closedLoop: async (round) => {
    const result = await runClosedLoop(round, requests);
    remember(result);
    return result;
  },
  openLoop: (pace) => runOpenLoop(pace, requests),
  flood: async (pace) => {
    const result = await runFlood(pace, requests);
    const referencesOf = ({ indexes }) => indexes.map((index) => signed[index].reference);
    return {
      ...result,
      made: { ...result.made, references: referencesOf(result.made) },
      shed: { ...result.shed, references: referencesOf(result.shed) },
      open: { ...result.open, references: referencesOf(result.open) },
    };
  },
  unread: (how) => runUnread(how, requests),
};

/** Remembers the orders of a round for look-ups, but only if all of them succeeded: each look-up must find its order. */
function remember(result) {
  if (result.failed > 0 || signed.length === 0) return;
  const { group } = signed[0];
  placed.set(group, [...(placed.get(group) ?? []), ...signed.slice(0, result.sent)].slice(-MOST_REMEMBERED));
}

serveTasks(TASKS);
