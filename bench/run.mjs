// npm run bench -- [quick] [only=settled,status]: the ratios of performance.md, as a table and in results/latest.json.
import { mkdir, writeFile } from "node:fs/promises";
import { contestantsOf } from "./contestants/open.mjs";
import { latencyAtHalf, settleOrders, startSeconds } from "./extras.mjs";
import { readOptions } from "./options.mjs";
import { machine } from "./report/machine.mjs";
import { meanStages } from "./report/stages.mjs";
import { table } from "./report/table.mjs";
import { alternate, median, medianRatio } from "./rounds.mjs";
import { chooseRows } from "./rows.mjs";
import { openWorld } from "./setup/world.mjs";

const RESULTS = new URL("results/latest.json", import.meta.url);

async function main() {
  const options = readOptions(process.argv.slice(2));
  const rows = chooseRows(options);
  const startedAt = performance.now();
  const world = await openWorld();
  try {
    const contestants = contestantsOf(world, options);
    // What takes minutes to seed runs apart, so that a machine's noise in between is not in anybody's ratio.
    const results = [];
    for (const group of [rows.filter((row) => !row.long), rows.filter((row) => row.long)])
      results.push(...(await runRows(group, world, contestants, options)));
    say(`\n${table(results)}\n`);
    const figures = await measureExtras(results, world, contestants, options);
    for (const [name, figure] of Object.entries(figures)) say(`${name}: ${JSON.stringify(figure)}`);
    await save(results, figures);
    say(`\n${Math.round((performance.now() - startedAt) / 1000)} s; written to bench/results/latest.json`);
  } finally {
    await world.close();
  }
}

async function runRows(rows, world, contestants, options) {
  if (rows.length === 0) return [];
  const running = await openAll(new Set(rows.flatMap((row) => [row.figure, row.against])), contestants);
  await world.postgres.settle();
  const figures = await alternate(running, options.rounds, options.warmUps, (done) => say(`round ${done} of ${options.rounds}`));
  return rows
    .filter((row) => running.has(row.figure) && running.has(row.against))
    .map((row) => {
      const [figure, against] = [figures.get(row.figure), figures.get(row.against)];
      const errors = contestants.errors.get(row.figure) ?? 0;
      return {
        row,
        figure: median(figure),
        against: median(against),
        ratio: medianRatio(figure, against),
        errors,
        rounds: { figure, against },
      };
    });
}

async function openAll(names, contestants) {
  const opened = await Promise.all([...names].map(async (name) => [name, await contestants.open[name]()]));
  for (const [name, measure] of opened) if (measure === null) say(`${name} is not installed: its rows are left out`);
  return new Map(opened.filter(([, measure]) => measure !== null));
}

async function measureExtras(results, world, { observed, open }, options) {
  const settled = results.find(({ row }) => row.figure === "settled");
  if (settled === undefined) return {};
  const { service } = await world.main();
  const latency = await latencyAtHalf(world, options, settled.figure);
  if (options.ordersForMemory > 0)
    await settleOrders(
      await open.settled(),
      options.ordersForMemory,
      settled.figure,
      options.windowMilliseconds + options.rampMilliseconds,
    );
  const ledger = await service.call("/ledger/check");
  return {
    "POST /recharge at half the peak": latency,
    "npm start to ready, seconds": await startSeconds(),
    "resident memory of the service, MB": await service.residentMegabytes(),
    "microseconds of CPU an order": {
      service: Math.round((observed.serviceCpu / observed.orders) * 1e6),
      postgresql: Math.round((observed.postgresCpu / observed.orders) * 1e6),
    },
    "where the time goes at the peak, milliseconds": meanStages(observed.metrics),
    "ledger invariants": ledger.ok ? "hold" : ledger.checks.filter((check) => check.violations > 0),
  };
}

async function save(results, extras) {
  const measured = results.map(({ row, figure, against, rounds }) => [row.name, { perSecond: figure, against, rounds }]);
  await mkdir(new URL(".", RESULTS), { recursive: true });
  const content = {
    ratios: Object.fromEntries(results.map(({ row, ratio }) => [row.name, Math.round(ratio * 1000) / 1000])),
    figures: { ...Object.fromEntries(measured), ...extras },
    machine: machine(),
  };
  await writeFile(RESULTS, `${JSON.stringify(content, null, 2)}\n`);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

await main();
