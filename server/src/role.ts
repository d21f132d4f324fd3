import type { Log } from "./platform/observability/log.ts";
import type { Service } from "./service.ts";
import type { Start } from "./start/start-when-possible.ts";

/** What a process does between its start and its end: it serves, or it supervises others that do. */
export type Role = {
  readonly log: Log;
  readonly start: Start;
  /** Stops what was begun before `start`, if that was never called. */
  readonly discard: () => Promise<void>;
  /** Called once it serves. */
  readonly started: (service: Service) => void;
  /** Resolves when another process took the place of this one. */
  readonly retired: Promise<void>;
  readonly beforeExit: () => Promise<void>;
};
