/**
 * The other end of `startWorker`: answers one named task after the other, and ends with the process that started it.
 *
 * @param {Record<string, (input: any) => unknown>} tasks
 */
export function serveTasks(tasks) {
  process.on("message", async ({ id, task, input }) => {
    try {
      process.send({ id, result: await tasks[task](input) });
    } catch (error) {
      process.send({ id, error: String(error?.stack ?? error) });
    }
  });
  process.once("disconnect", () => process.exit(0));
  // A terminal sends its signals to all of us; when to end is the first process's to say.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
}
