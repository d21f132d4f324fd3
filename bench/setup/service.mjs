import { spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atEnd, endChild, temporaryFolder } from "../closing.mjs";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const OPERATOR_KEY = `opk_${"b".repeat(43)}`;
const READY_MILLISECONDS = 60_000;
const LOOK_AGAIN_MILLISECONDS = 10;

/**
 * The service as a user runs it, in its own process: every default, its log in a file.
 *
 * @param {{ root?: string, databaseUrl?: string, dataFolder?: string, command?: readonly string[], node?: readonly string[], variables?: object, port?: number }} options
 */
export async function startService(options) {
  const { root = ROOT, databaseUrl, dataFolder, command = startCommand(root), node = [], variables = {}, port: wantedPort } = options;
  const folder = dataFolder ?? temporaryFolder("corprail-bench-service-");
  const port = wantedPort ?? (await freePort());
  const metricsPort = await freePort();
  const log = openSync(join(folder, "service.log"), "a");
  const child = spawn(process.execPath, [...node, ...command], {
    cwd: root,
    env: { ...environment({ port, metricsPort, folder, databaseUrl }), ...variables },
    stdio: ["ignore", log, log],
  });
  atEnd("processes", () => endChild(child));
  const service = { port, metricsPort, pid: child.pid, folder, call: caller(port) };
  await ready(child, service);
  return {
    ...service,
    metrics: () => readMetrics(port),
    residentMegabytes: () => residentMegabytes(child.pid),
    stop: () => endChild(child),
  };
}

/** What `npm start` runs, less npm itself. */
function startCommand(root) {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return scripts.start.replace(/^(?:exec )?node /, "").split(" ");
}

function environment({ port, metricsPort, folder, databaseUrl }) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("CORPRAIL_") && name !== "NODE_ENV");
  return {
    ...Object.fromEntries(inherited),
    CORPRAIL_PORT: String(port),
    CORPRAIL_METRICS_PORT: String(metricsPort),
    CORPRAIL_DATA_DIR: folder,
    CORPRAIL_OPERATOR_KEY: OPERATOR_KEY,
    ...(databaseUrl === undefined ? {} : { CORPRAIL_DATABASE_URL: databaseUrl }),
    // Two processes on one database must seal with one key.
    ...(databaseUrl === undefined ? {} : { CORPRAIL_MASTER_KEY_FILE: masterKeyFile() }),
    // For the callbacks of the report; nothing else of the bench comes near them.
    CORPRAIL_CALLBACK_ALLOW: "127.0.0.1",
    CORPRAIL_PROVIDER_ALLOW: "127.0.0.1",
    CORPRAIL_SIMULATOR_DELAY_MS: "100",
  };
}

let keyFolder = null;

function masterKeyFile() {
  keyFolder ??= temporaryFolder("corprail-bench-key-");
  return join(keyFolder, "master-key");
}

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function ready(child, { port, folder }) {
  const until = performance.now() + READY_MILLISECONDS;
  while (performance.now() < until && child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MILLISECONDS));
  }
  await endChild(child);
  throw new Error(`The service did not start:\n${(await readFile(join(folder, "service.log"), "utf8")).slice(-2000)}`);
}

/** The operator API. */
function caller(port) {
  return async (path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/operator/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${OPERATOR_KEY}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return await answer.json();
  };
}

const SAMPLE = /^(\w+)(?:\{([^}]*)\})? (\S+)$/gm;

/** Every sample of /metrics, by its name with its labels. */
async function readMetrics(port) {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: `Bearer ${OPERATOR_KEY}` } });
  const text = await answer.text();
  return new Map([...text.matchAll(SAMPLE)].map(([, name, labels, value]) => [labels ? `${name}{${labels}}` : name, Number(value)]));
}

async function residentMegabytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const match = /^VmRSS:\s+([0-9]+) kB$/m.exec(status);
  return match ? Math.round(Number(match[1]) / 1024) : null;
}
