/** The CPU time that a function takes, in milliseconds. Unlike the time on the clock, it does not grow on a busy machine. */
export function cpuMilliseconds(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
