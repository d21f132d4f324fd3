import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "./deadline.ts";
import { type CheckingProxy, startCheckingProxy } from "./servers/checking-proxy.ts";
import { freePort } from "./servers/receivers.ts";

export type Block = { readonly language: string; readonly code: string };

/** The blocks of code that a page shows, in its order. */
export async function blocksOf(page: string): Promise<readonly Block[]> {
  const text = await readFile(page, "utf8");
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", code = ""]) => ({ language, code }));
}

/** This process's environment, less what would reach the service or npm from the tests; npm still finds its packages. */
export function ownEnvironment(): Readonly<Record<string, string>> {
  const ours = /^(?:CORPRAIL_|GIT_|NODE_ENV$|VITEST|npm_(?!config_(?:cache|registry|userconfig)$))/;
  const own = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return Object.fromEntries(own) as Record<string, string>;
}

export type Started = {
  /** The proxy that checks replies against contract/openapi.json. */
  readonly proxy: CheckingProxy;
  readonly credential: (label: string) => string;
  readonly stop: () => Promise<void>;
};

export type Place = { readonly cwd: string; readonly dataFolder: string; readonly environment: Readonly<Record<string, string>> };

/** Runs a page's first block as it is printed; only the port is our own, and what the environment says. */
export async function startByBlock(block: Block | undefined, { cwd, dataFolder, environment }: Place): Promise<Started> {
  const port = await freePort();
  const child = spawn("bash", ["-euo", "pipefail", "-c", block?.code ?? "false"], {
    cwd,
    env: { ...environment, CI: "true", CORPRAIL_PORT: String(port) },
    // A group of its own: npm and the service end together.
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const end = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    await gone;
  };
  const ready = () => {
    if (child.exitCode !== null) throw new Error(`The block ended before the service listened:\n${output}`);
    return output.includes('"message":"listening"');
  };
  try {
    await until("the service listens", ready);
    const [proxy, text] = [await startCheckingProxy(port), await readFile(join(dataFolder, "first-run.txt"), "utf8")];
    const credential = (label: string) => new RegExp(`^ *${label} +(\\S+)`, "m").exec(text)?.[1] ?? "";
    return { proxy, credential, stop: () => proxy.close().then(end) };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The blocks after the first as one script, with the credentials that the reader would have put in. */
export async function scriptOf(blocks: readonly Block[], { proxy, credential }: Started): Promise<string> {
  const receiver = await freePort();
  const script = blocks.map((block) => block.code).join("\necho '=='\n");
  // A step that goes wrong leaves nothing running.
  return `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n${script}`
    .replace("ACCOUNT=A...", `ACCOUNT=${credential("account id")}`)
    .replace("tok_live_...", credential("API token"))
    .replace("sig_...", credential("signing secret"))
    .replace("opk_...", credential("operator key"))
    .replaceAll("127.0.0.1:8080", `127.0.0.1:${proxy.port}`)
    .replaceAll(/\b3000\b(?!\d)/g, String(receiver));
}
