// Says on standard error what a start is building: standard output belongs to the service's log.
const TICK_MILLISECONDS = 1000;

/** Runs one step of the build; on a terminal its line counts the seconds until the step is over. */
export async function buildStep(title, work) {
  const from = performance.now();
  const seconds = () => (performance.now() - from) / 1000;
  const stop = process.stderr.isTTY ? tick(title, seconds) : sayOnce(title);
  const end = (how) => {
    stop();
    process.stderr.write(`${title}: ${how} ${seconds().toFixed(1)} s\n`);
  };
  try {
    await work();
  } catch (error) {
    end("failed after");
    throw error;
  }
  end("done in");
}

function tick(title, seconds) {
  const show = () => process.stderr.write(`\r${title} … ${Math.floor(seconds())} s`);
  show();
  const timer = setInterval(show, TICK_MILLISECONDS);
  return () => {
    clearInterval(timer);
    // Back to the line's beginning, and the line emptied.
    process.stderr.write("\r\u001b[2K");
  };
}

function sayOnce(title) {
  process.stderr.write(`${title} …\n`);
  return () => {};
}
