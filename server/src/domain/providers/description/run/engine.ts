import type { Clock } from "../../../../platform/core/clock.ts";
import type { Recorder } from "../../connector.ts";
import type { Description } from "../definition.ts";
import type { Given } from "../request/order-values.ts";
import type { Random, Secrets } from "../request/scope.ts";
import type { Login } from "./login.ts";
import type { Transport } from "./transport.ts";

/** What every operation of one provider shares. */
export type Engine = {
  readonly definition: Description;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly random: Random;
  /** Computed values are written as their names. */
  readonly hidesComputed?: boolean;
  readonly transport: Transport;
  /** Null when the provider needs no login. */
  readonly login: Login | null;
  /** Masks secrets in a provider's text, because some providers repeat the request. */
  readonly clean: (text: string) => string;
};

/** One run of an operation. */
export type Run = {
  readonly given: Given;
  readonly isQuery: boolean;
  readonly checksCircle: boolean;
  readonly signal: AbortSignal;
  readonly record: Recorder | undefined;
  readonly readable: readonly string[];
  /** Values that steps have saved; each step adds its own. */
  readonly saved: Map<string, string>;
  readonly page: ReadonlyMap<string, string>;
};
