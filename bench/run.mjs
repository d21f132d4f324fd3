// npm run bench -- [quick] [only=settled,status] [before=COMMIT]: the ratios of performance.md, as a table and in results/latest.json.
import { mkdir, writeFile } from "node:fs/promises";
import { closeAll, closeOnSignals, isClosing } from "./closing.mjs";
import { contestantsOf } from "./contestants/open.mjs";
import { firstAttempts } from "./delivery/first-attempts.mjs";
import { latencyAtHalf, settleOrders, startSeconds } from "./extras.mjs";
import { measureLarge } from "./large.mjs";
import { idleShare, latencyAtFifty } from "./low-load.mjs";
import { readOptions } from "./options.mjs";
import { machine } from "./report/machine.mjs";
import { meanStages } from "./report/stages.mjs";
import { table } from "./report/table.mjs";
import { alternate, median, medianRatio } from "./rounds.mjs";
import { BEFORE_ROW, chooseRows } from "./rows.mjs";
import { startEnvironment } from "./setup/world.mjs";

const RESULTS = new URL("results/latest.json", import.meta.url);
// Deliveries first, while nothing else runs. What takes minutes to seed comes last, so that the machine's noise in between
// is not in anybody's ratio.
const GROUPS = ["delivery", "recharge", "described", "growth"];

async function main() {
  const options = readOptions(process.argv.slice(2));
  const rows = chooseRows(options);
  const startedAt = performance.now();
  const world = await startEnvironment();
  const contestants = contestantsOf(world, options);
  const measured = [];
  for (const group of GROUPS) {
    const chosen = rows.filter((row) => row.group === group);
    measured.push(...(await runRows(chosen, world, contestants, options)));
    if (group === "delivery") await world.endDelivery();
    if (chosen.length > 0) say(`${group} rows: done after ${seconds(startedAt)} s`);
  }
  const results = rows.flatMap((row) => measured.filter((one) => one.row === row));
  say(`\n${table(results)}\n`);
  const figures = await measureExtras(results, world, contestants, options);
  for (const [name, figure] of Object.entries(figures)) say(`${name}: ${JSON.stringify(figure)}`);
  await save(results, figures);
  await closeAll();
  say(`\n${seconds(startedAt)} s; written to bench/results/latest.json`);
}

async function runRows(rows, world, contestants, options) {
  if (rows.length === 0) return [];
  const running = await openAll(new Set(rows.flatMap((row) => [row.figure, row.against])), contestants);
  await world.postgres.settle();
  const { group } = rows[0];
  const checkpoints = await world.postgres.checkpoints();
  const isEnough = async (done) => {
    say(group === "growth" ? `round ${done}` : `round ${done} of ${options.rounds}`);
    if (done < options.rounds) return false;
    return group !== "growth" || done >= options.mostRounds || (await world.postgres.checkpoints()) > checkpoints;
  };
  const figures = await alternate(running, options.warmUp[group], isEnough);
  return rows
    .filter((row) => running.has(row.figure) && running.has(row.against))
    .map((row) => {
      const [figure, against] = [figures.get(row.figure), figures.get(row.against)];
      const errors = [row.figure, row.against].reduce((sum, name) => sum + (contestants.errors.get(name) ?? 0), 0);
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

async function measureExtras(results, world, contestants, options) {
  const settled = results.find(({ row }) => row.figure === "settled" && row.name !== BEFORE_ROW);
  const delivered = results.some(({ row }) => row.group === "delivery");
  return {
    ...(delivered ? { "final state to first attempt at the receiver": await firstAttempts(world, options) } : {}),
    ...(results.some(({ row }) => row.figure === "20 million orders") ? await measureLarge(world) : {}),
    ...(contestants.observedByHttp.orders > 0 ? { "microseconds of CPU an order by HTTP": cpuOfAnOrder(contestants.observedByHttp) } : {}),
    ...(contestants.observedBefore.orders > 0 ? compareCpu(contestants, options.before) : {}),
    ...(settled ? await measureRecharges(settled, world, contestants, options) : {}),
  };
}

async function measureRecharges(settled, world, { observed, open }, options) {
  const { service } = await world.main();
  const latency = await latencyAtHalf(world, options, settled.figure);
  const lowLoad = options.lowLoadSeconds === 0 ? {} : await measureLowLoad(world, options);
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
    ...lowLoad,
    "npm start to ready, seconds": await startSeconds(options),
    "resident memory of the service, MB": await service.residentMegabytes(),
    "microseconds of CPU an order": cpuOfAnOrder(observed),
    "where the time goes at the peak, milliseconds": meanStages(observed.metrics),
    "ledger invariants": ledger.ok ? "hold" : ledger.checks.filter((check) => check.violations > 0),
  };
}

function compareCpu({ observed, observedBefore }, before) {
  return {
    "microseconds of CPU an order": cpuOfAnOrder(observed),
    [`microseconds of CPU an order, ${before}`]: cpuOfAnOrder(observedBefore),
  };
}

function cpuOfAnOrder({ orders, serviceCpu, postgresCpu }) {
  const each = (seconds) => Math.round((seconds / orders) * 1e6);
  return { service: each(serviceCpu), postgresql: each(postgresCpu) };
}

async function measureLowLoad(world, options) {
  return {
    "POST /recharge, 50 a second": await latencyAtFifty(world, options),
    "percent of a core while nobody calls": await idleShare(world, options),
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

function seconds(since) {
  return Math.round((performance.now() - since) / 1000);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

closeOnSignals();
try {
  await main();
} catch (error) {
  // What fails because it was stopped is no news.
  if (!isClosing()) process.stderr.write(`${error?.stack ?? error}\n`);
  process.exitCode = 1;
  await closeAll();
}
