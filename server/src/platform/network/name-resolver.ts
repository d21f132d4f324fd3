import { lookup, Resolver } from "node:dns/promises";
import type { Resolve } from "./check-host.ts";

export type NameOptions = {
  /** Name servers as `address:port`; by default the system's. */
  readonly servers?: readonly string[];
};

const TIMEOUT_MILLISECONDS = 2000;
const TRIES = 2;
// getaddrinfo blocks one of the few threads of the pool. One slow name server must not occupy all of them.
const MAX_SYSTEM_LOOKUPS = 2;
// With these codes the hosts file or a search domain may still know the name.
const UNKNOWN = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"]);

/** Resolves names without blocking a thread. Unknown names go to the system's resolver, a few at a time. */
export function nameResolver(options: NameOptions = {}): Resolve {
  const resolver = new Resolver({ timeout: TIMEOUT_MILLISECONDS, tries: TRIES });
  if (options.servers) resolver.setServers(options.servers);
  const system = options.servers ? null : limited(MAX_SYSTEM_LOOKUPS, systemLookup);
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, "");
    if (name === "localhost" || name.endsWith(".localhost")) return ["127.0.0.1", "::1"];
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [four, six].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (found.length > 0) return found;
    const why: unknown = four.status === "rejected" ? four.reason : null;
    if (system && UNKNOWN.has(codeOf(why))) return await system(hostname);
    throw why instanceof Error ? why : new Error("The name has no address.");
  };
}

async function systemLookup(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map((entry) => entry.address);
}

function limited(most: number, run: Resolve): Resolve {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (hostname) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      return await run(hostname);
    } finally {
      running--;
      waiting.shift()?.();
    }
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
