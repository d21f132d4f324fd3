// A process of its own that shows how fast the machine is: it does the same short work again and again, and notes how
// much CPU time each took. Other busy processes delay the work, but only a slower processor makes it take more CPU time.
import { serveTasks } from "../serve-tasks.mjs";
import { monotonic } from "./monotonic.mjs";

const INTERVAL_MILLISECONDS = 4;
// Some 60 microseconds: a hundredth of a core.
const STEPS = 6_000;
const STEPS_BEFORE = 20_000_000;

let value = 1;
let timer = null;
let readings = [];

function work(steps) {
  for (let step = 0; step < steps; step++) value = (value * 1_103_515_245 + 12_345) | 0;
}

function read() {
  const before = process.cpuUsage();
  const at = monotonic(performance.now());
  work(STEPS);
  const { user, system } = process.cpuUsage(before);
  readings.push({ at, microseconds: user + system });
}

serveTasks({
  start: () => {
    work(STEPS_BEFORE);
    readings = [];
    timer = setInterval(read, INTERVAL_MILLISECONDS);
  },
  stop: () => {
    clearInterval(timer);
    return readings;
  },
});
