import { fork } from "node:child_process";
import { atEnd, endChild } from "./closing.mjs";

/**
 * A child process that does one named task after the other (serve-tasks.mjs is its other end).
 *
 * @param {URL} module @param {readonly string[]} [args] @param {Record<string, string>} [env]
 * @param {number | null} [core] the only one that it may use
 */
export function startWorker(module, args = [], env = {}, core = null) {
  const child = fork(module, args, {
    ...(core === null ? {} : { execPath: "taskset", execArgv: ["-c", String(core), process.execPath] }),
    serialization: "advanced",
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, ...env },
  });
  const end = () => endChild(child, () => child.connected && child.disconnect());
  atEnd("processes", end);
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
  // Every request gets an answer.
  child.on("error", () => {});
  return {
    ask: (task, input = {}) =>
      new Promise((resolve, reject) => {
        asked.set(++last, { resolve, reject });
        child.send({ id: last, task, input }, (error) => error && reject(error));
      }),
    end,
  };
}
