import { formatRange, overlaps, parseRange, type Range } from "../platform/network/address.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export const PROVIDER_ALLOW = "CORPRAIL_PROVIDER_ALLOW";
export const SIGN_ON_ALLOW = "CORPRAIL_SINGLE_SIGN_ON_ALLOW";

/** Faults of variables that are useful in trials but unsafe in production. */
export function insecureInProduction(environment: Environment): readonly string[] {
  if (!isProduction(environment) || environment["CORPRAIL_ALLOW_INSECURE"] === "1") return [];
  const trials = ["CORPRAIL_CALLBACK_ALLOW", "CORPRAIL_CLOCK_OFFSET_SECONDS"]
    .filter((name) => (environment[name] ?? "").trim() !== "")
    .map((name) => `${name} is for trials and must not be set when NODE_ENV is production (CORPRAIL_ALLOW_INSECURE=1 overrides this).`);
  return [...trials, ...[PROVIDER_ALLOW, SIGN_ON_ALLOW].flatMap((name) => reachingFault(name, environment))];
}

function reachingFault(name: string, environment: Environment): readonly string[] {
  const reaching = (ranges(environment[name] ?? "") ?? []).filter(reachesThisMachine).map(formatRange);
  if (reaching.length === 0) return [];
  const why = "reach this machine itself or a cloud's metadata service";
  return [
    `${name} must not hold ${reaching.join(", ")} when NODE_ENV is production: these ${why} (CORPRAIL_ALLOW_INSECURE=1 overrides this).`,
  ];
}

// A provider in a private network is legitimate in production, but none of these addresses can belong to a provider.
const THIS_MACHINE = ["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "::/127", "fe80::/10", "fd00:ec2::254/128"].map(parseRange);

function reachesThisMachine(range: Range): boolean {
  return THIS_MACHINE.some((local) => local !== null && overlaps(local, range));
}

export function isProduction(environment: Environment): boolean {
  return environment["NODE_ENV"] === "production";
}

/** Addresses or CIDR ranges with commas between. */
export function ranges(text: string): readonly Range[] | null {
  const parsed = text.split(",").map((entry) => parseRange(entry.trim()));
  return parsed.every((range) => range !== null) ? parsed : null;
}
