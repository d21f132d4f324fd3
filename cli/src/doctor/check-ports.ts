import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { tryLockFolder } from "@corprail/server/platform/db/embedded/folder-lock";
import { errorText } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { type Finding, fail, ok } from "./finding.ts";

const ANSWER_MILLISECONDS = 5_000;

/** Checks that a running service answers, or that its port is free. */
export async function checkPorts({ config }: CommandContext): Promise<readonly Finding[]> {
  const served = await isHeld(config.dataFolder);
  const base = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${config.port}`;
  const main = config.port === 0 ? [] : [await checkPort(base, config.host, config.port, served)];
  const { metricsPort } = config;
  if (metricsPort === null || metricsPort === 0 || served) return main;
  return [...main, await checkFree("metrics port", config.host, metricsPort)];
}

async function isHeld(folder: string): Promise<boolean> {
  if (!existsSync(folder)) return false;
  const lock = await tryLockFolder(folder);
  await lock?.release();
  return lock === null;
}

async function checkPort(base: string, host: string, port: number, served: boolean): Promise<Finding> {
  const answer = await readiness(base);
  if (answer === "ready") return ok("service", `ready on ${base}`);
  if (answer === "not ready") return fail("service", `${base}/readyz says that it is not ready`, "Look into its log.");
  if (served)
    return fail(
      "service",
      `a process has the data folder, but ${base} does not answer as a Corprail`,
      "Is CORPRAIL_PORT as the service has it? Look into its log.",
    );
  return await checkFree("port", host, port);
}

async function readiness(base: string): Promise<"ready" | "not ready" | "other"> {
  try {
    const reply = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(ANSWER_MILLISECONDS), redirect: "manual" });
    const body = (await reply.json()) as { readonly status?: unknown };
    return body.status === "ready" || body.status === "not ready" ? body.status : "other";
  } catch {
    return "other";
  }
}

async function checkFree(about: string, host: string, port: number): Promise<Finding> {
  const error = await new Promise<unknown>((resolve) => {
    const server = createServer();
    server.once("error", resolve);
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
  if (error === null) return ok(about, `${host}:${port} is free; no service runs`);
  return fail(about, `${host}:${port} cannot be used: ${errorText(error)}`, "Stop the other program, or set another port.");
}
