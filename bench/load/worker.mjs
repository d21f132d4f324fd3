// The load generator's own process: it signs a round's requests before the round, then sends them.
import { serveTasks } from "../serve-tasks.mjs";
import { runClosedLoop } from "./closed-loop.mjs";
import { runFlood, runUnread } from "./flood.mjs";
import { runOpenLoop } from "./open-loop.mjs";
import { signLookUps, signRecharges } from "./requests.mjs";

const MOST_REMEMBERED = 20_000;
let requests = [];
let coming = [];
/** What can be looked up, by the group of accounts that made it. */
const placed = new Map();

const TASKS = {
  signRecharges: ({ accounts, count, group, target }) => {
    ({ requests, placed: coming } = signRecharges(accounts, count, target));
    coming = coming.map((one) => ({ ...one, group }));
  },
  signLookUps: ({ accounts, count, group }) => {
    coming = [];
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
    const referencesOf = ({ indexes }) => indexes.map((index) => coming[index].reference);
    return {
      ...result,
      made: { ...result.made, references: referencesOf(result.made) },
      shed: { ...result.shed, references: referencesOf(result.shed) },
      open: { ...result.open, references: referencesOf(result.open) },
    };
  },
  unread: (how) => runUnread(how, requests),
};

/** Only when every one of them succeeded: what is looked up has to be there. */
function remember(result) {
  if (result.failed > 0 || coming.length === 0) return;
  const { group } = coming[0];
  placed.set(group, [...(placed.get(group) ?? []), ...coming.slice(0, result.sent)].slice(-MOST_REMEMBERED));
}

serveTasks(TASKS);
