/** The row that needs `before=COMMIT`. */
export const BEFORE_ROW = "settled vs before";

/**
 * The rows of docs/performance.md: what is measured, what it is compared with, and the ratio that it has to reach.
 * `figure` and `against` name contestants. A quick run leaves `long` rows out, and a run measures an `asked` row only if it is
 * named. The rows of a group are measured in the same alternation.
 *
 * @typedef {"recharge" | "described" | "delivery" | "growth"} Group
 * @typedef {{ name: string, figure: string, against: string, atLeast: number | null, aim: number | null, group: Group, long?: true, asked?: true }} Row
 * @type {readonly Row[]}
 */
export const ROWS = [
  { name: "settled", figure: "settled", against: "plain", atLeast: 8, aim: 12, group: "recharge" },
  { name: "settled vs single", figure: "settled", against: "single", atLeast: 5, aim: 7, group: "recharge" },
  { name: "settled vs pgbench", figure: "settled", against: "pgbench", atLeast: 1.5, aim: 2, group: "recharge" },
  // Nothing is promised here: it shows whether orders have become cheaper or more expensive since an earlier version.
  { name: BEFORE_ROW, figure: "settled", against: "settled before", atLeast: null, aim: null, group: "recharge", asked: true },
  { name: "hot wallet", figure: "hot wallet", against: "settled", atLeast: 0.95, aim: 1.05, group: "recharge" },
  { name: "status", figure: "status", against: "bare route", atLeast: 0.6, aim: 0.85, group: "recharge" },
  { name: "settled by HTTP", figure: "settled by HTTP", against: "plain by HTTP", atLeast: 8, aim: 12, group: "described", long: true },
  {
    name: "settled by HTTP vs single",
    figure: "settled by HTTP",
    against: "single by HTTP",
    atLeast: 5,
    aim: 7,
    group: "described",
    long: true,
  },
  {
    name: "hot wallet by HTTP",
    figure: "hot wallet by HTTP",
    against: "settled by HTTP",
    atLeast: 0.95,
    aim: 1.05,
    group: "described",
    long: true,
  },
  // No ratio is promised here: it shows what calls to a provider cost.
  { name: "HTTP vs simulator", figure: "settled by HTTP", against: "settled", atLeast: null, aim: null, group: "described", long: true },
  { name: "growth", figure: "5 million orders", against: "10 thousand orders", atLeast: 0.85, aim: 0.95, group: "growth", long: true },
  {
    name: "growth to 20 million",
    figure: "20 million orders",
    against: "10 thousand orders",
    atLeast: 0.95,
    aim: 1,
    group: "growth",
    long: true,
    asked: true,
  },
  { name: "callbacks", figure: "callbacks", against: "graphile-worker", atLeast: 1.3, aim: 1.6, group: "delivery" },
  // Nothing is promised here: it shows how much of the row above is the log and how much the queue.
  {
    name: "callbacks vs batched log",
    figure: "callbacks",
    against: "graphile-worker, log in batches",
    atLeast: null,
    aim: null,
    group: "delivery",
    long: true,
  },
  { name: "isolation", figure: "one hung", against: "callbacks", atLeast: 0.9, aim: 1, group: "delivery" },
  { name: "two processes", figure: "two processes", against: "settled", atLeast: 0.95, aim: 1.1, group: "recharge" },
  // Nothing is promised here: the workers, the process that supervises them, PostgreSQL and the client share two cores.
  { name: "two workers", figure: "two workers", against: "settled", atLeast: null, aim: null, group: "recharge", long: true },
];

/** @param {{ quick: boolean, only: readonly string[] | null, before: string | null }} options */
export function chooseRows({ quick, only, before }) {
  if (only?.includes(BEFORE_ROW) && before === null) throw new Error(`The row "${BEFORE_ROW}" needs before=COMMIT.`);
  const wanted = only === null ? ROWS.filter((row) => !row.asked && !(quick && row.long)) : ROWS.filter((row) => only.includes(row.name));
  if (wanted.length === 0) throw new Error(`There is no such row. There are: ${ROWS.map((row) => row.name).join(", ")}.`);
  return wanted;
}
