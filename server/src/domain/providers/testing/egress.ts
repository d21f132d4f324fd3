import { parseRange } from "../../../platform/network/address.ts";
import type { Egress } from "../wire/exchange.ts";

/** Test providers run on this machine; no name server is used. */
export function testEgress(change: Partial<Egress> = {}): Egress {
  const allow = ["127.0.0.0/8", "::1/128"].map(parseRange).filter((range) => range !== null);
  return { allow, resolve: resolveLocally, ...change };
}

async function resolveLocally(hostname: string): Promise<readonly string[]> {
  if (hostname === "localhost") return ["127.0.0.1"];
  throw new Error("No such name.");
}
