import { fork } from "node:child_process";

/**
 * A child process that does one named task after the other.
 *
 * @param {URL} module @param {readonly string[]} [args]
 */
export function startWorker(module, args = []) {
  const child = fork(module, args, { serialization: "advanced", stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const asked = new Map();
  let last = 0;
  child.on("message", ({ id, result, error }) => {
    const { resolve, reject } = asked.get(id);
    asked.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Error(error));
  });
  child.on("exit", (code) => {
    for (const { reject } of asked.values()) reject(new Error(`${module.pathname} ended with ${code}.`));
  });
  return {
    ask: (task, input = {}) =>
      new Promise((resolve, reject) => {
        asked.set(++last, { resolve, reject });
        child.send({ id: last, task, input });
      }),
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null) return resolve();
        child.once("exit", resolve);
        child.disconnect();
      }),
  };
}
