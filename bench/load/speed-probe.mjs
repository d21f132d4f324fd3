// A process of its own that shows how fast a core is: it does the same short work again and again, and notes how
// much CPU time each took. Other busy processes delay the work, but only a slower core makes it take more CPU time.
import { serveTasks } from "../serve-tasks.mjs";
import { monotonic } from "./monotonic.mjs";

const INTERVAL_MILLISECONDS = 4;
// Computing and reading memory can become slow separately. Together some 60 microseconds: a hundredth of a core.
const STEPS = 2_000;
const READS = 150;
// More pages than a processor remembers the addresses of.
const memory = Int32Array.from({ length: 4_194_304 }, (_, index) => (index * 7_919 + 13) % 4_194_304);
const ROUNDS_BEFORE = 5_000;

let value = 1;
let place = 0;
let timer = null;
let readings = [];

function work() {
  for (let step = 0; step < STEPS; step++) value = (value * 1_103_515_245 + 12_345) | 0;
  for (let step = 0; step < READS; step++) {
    value = (value * 1_103_515_245 + 12_345) | 0;
    place = memory[(place + value) & (memory.length - 1)];
  }
}

function read() {
  const before = process.cpuUsage();
  const at = monotonic(performance.now());
  work();
  const { user, system } = process.cpuUsage(before);
  readings.push({ at, microseconds: user + system });
}

serveTasks({
  start: () => {
    for (let round = 0; round < ROUNDS_BEFORE; round++) work();
    readings = [];
    timer = setInterval(read, INTERVAL_MILLISECONDS);
  },
  stop: () => {
    clearInterval(timer);
    return readings;
  },
});
