import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../../../", import.meta.url));

// A process of its own, because the handlers belong to the process.
function run(what: string) {
  const script = `
    import { containPluginErrors } from "${ROOT}server/dist/domain/providers/plugin/contain-errors.js";
    import { checkPlugin, hostConnector } from "@corprail/connector/host";
    containPluginErrors({ error: (fields) => console.log("contained", fields.provider) });
    const open = () => { ${what}; return { balance: async () => ({ kind: "unavailable", why: "" }) }; };
    const definition = { apiVersion: 1, name: "p", settings: { safeParse() {} }, secrets: [], operations: ["balance"], open };
    const { plugin } = checkPlugin(definition);
    const host = hostConnector({ plugin, provider: "acme", settings: {}, secrets: {}, clock: Date, origins: null, log() {} });
    await host.query("balance", {}, new AbortController().signal);
    if (process.env.OWN) Promise.reject(new Error("ours"));
    setTimeout(() => console.log("alive"), 50);`;
  return (environment: NodeJS.ProcessEnv = {}) =>
    spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: ROOT,
      encoding: "utf8",
      env: { ...process.env, ...environment },
    });
}

test.each(['Promise.reject(new Error("left"))', 'setTimeout(() => { throw new Error("late"); }, 5)'])(
  "a plug-in that leaves %s behind does not end the process",
  (what) => expect(run(what)()).toMatchObject({ status: 0, stdout: "contained acme\nalive\n" }),
);

test("an uncaught error of the service itself still ends it", () => {
  expect(run("")({ OWN: "1" })).toMatchObject({ status: 1, stderr: expect.stringContaining("ours") });
});
