import { connectToPrimary } from "./platform/cluster/worker-link.ts";
import { createOutputLog } from "./platform/observability/log.ts";
import type { Role } from "./role.ts";
import { startService } from "./service.ts";
import type { Config } from "./settings/config.ts";
import type { EarlyDatabase } from "./start/early-database.ts";

/** A process that serves requests, alone or as one of several workers. */
export function servingRole({ logLevel: level, logFormat: format }: Config, database: EarlyDatabase | null): Role {
  const link = connectToPrimary();
  if (link === null)
    return {
      log: database?.log ?? createOutputLog({ level, format }),
      start: (config, log, options) => startService(config, log, { ...options, database }),
      discard: async () => await database?.discard(),
      started: () => {},
      retired: new Promise(() => {}),
      beforeExit: async () => {},
    };
  return {
    log: createOutputLog({ level, format, worker: link.id }),
    start: (config, log, options) => startService(config, log, { ...options, database, shareMetrics: link.shareMetrics }),
    discard: async () => await database?.discard(),
    started: ({ port }) => link.tellReady(port),
    retired: link.retired,
    beforeExit: link.tellTotals,
  };
}
