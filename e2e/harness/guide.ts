import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startCheckingProxy } from "./servers/checking-proxy.ts";
import { ROOT, type Service } from "./service.ts";

/** Scripts are slow, because they start a process for every field they read. */
export const SCRIPT_MILLISECONDS = 600_000;

/** Runs a script of the guide and returns its output; rejects when a step fails. */
export async function runGuide(
  service: Service,
  name: string,
  client: { readonly token: string; readonly secret: string },
): Promise<string> {
  const proxy = await startCheckingProxy(service.port);
  const env = { ...process.env, BASE: proxy.url, TOKEN: client.token, SECRET: client.secret };
  try {
    return (await promisify(execFile)("bash", [join(ROOT, `docs/guide/scripts/${name}.sh`)], { env })).stdout;
  } finally {
    await proxy.close();
  }
}
