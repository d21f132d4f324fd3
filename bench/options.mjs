import { BEFORE_ROW } from "./rows.mjs";

const USAGE = "Usage: npm run bench -- [quick] [only=settled,status] [before=COMMIT]";

/**
 * `quick` for a run of at most 90 seconds, `only=settled,status` for some rows, `before=main~20` to compare with an earlier version.
 *
 * @param {readonly string[]} args
 */
export function readOptions(args) {
  const unknown = args.filter((arg) => arg !== "quick" && !/^(?:only|before)=./.test(arg));
  if (unknown.length > 0) throw new Error(`Not known: ${unknown.join(" ")}. ${USAGE}`);
  const given = (name) => args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
  const quick = args.includes("quick");
  const before = given("before");
  return {
    quick,
    before,
    // With an earlier version, only that comparison is made unless rows are named.
    only: given("only")?.split(",") ?? (before === null ? null : [BEFORE_ROW]),
    ...(quick ? QUICK : FULL),
  };
}

// `warmUp` says, by group, how many times as long as a round.
// Rows about growth are measured from one checkpoint to the next, but in no more than `mostRounds`.
const QUICK = {
  rounds: 5,
  mostRounds: 5,
  warmUp: { recharge: 1.5, described: 1.5, delivery: 1.5, growth: 1.5 },
  // The service's compilers need some ten thousand orders; whoever compares with it does far less a second.
  serviceWarmUp: 5,
  rampMilliseconds: 100,
  deliveryRampMilliseconds: 200,
  windowMilliseconds: 350,
  pgbenchSeconds: 1,
  latencySeconds: 1.25,
  lowLoadSeconds: 0,
  idleSeconds: 0,
  ordersForMemory: 0,
};
const FULL = {
  rounds: 9,
  mostRounds: 60,
  warmUp: { recharge: 3, described: 3, delivery: 3, growth: 3 },
  serviceWarmUp: 2,
  rampMilliseconds: 300,
  deliveryRampMilliseconds: 500,
  windowMilliseconds: 3_000,
  pgbenchSeconds: 3,
  latencySeconds: 10,
  lowLoadSeconds: 20,
  idleSeconds: 60,
  ordersForMemory: 1_000_000,
};
