import { createOidc, type Oidc } from "../domain/auth/single-sign-on/oidc.ts";
import type { Clock } from "../platform/core/clock.ts";
import { guardedFetch } from "../platform/network/guarded-fetch.ts";
import { nameResolver } from "../platform/network/name-resolver.ts";
import type { Config } from "../settings/config.ts";

type Dependencies = {
  readonly config: Pick<Config, "signOnAllow">;
  readonly clock: Clock;
  readonly mode: () => "trial" | "live";
  readonly closers: (() => unknown)[];
};

/** Requests to identity providers go to public addresses, and to those that the configuration allows. */
export function startOidc({ config, clock, mode, closers }: Dependencies): Oidc {
  const guarded = guardedFetch({ allow: config.signOnAllow, resolve: nameResolver() });
  closers.push(() => guarded.close());
  return createOidc({ fetch: guarded.fetch, clock, allowsHttp: () => mode() === "trial" });
}
