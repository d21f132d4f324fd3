import { type EmbeddedDatabase, startEmbedded } from "../platform/db/embedded/start-embedded.ts";
import { createOutputLog, type Log } from "../platform/observability/log.ts";
import type { Config } from "../settings/config.ts";

/** The embedded PostgreSQL of a process that serves alone. */
export type EarlyDatabase = {
  readonly log: Log;
  /** Returns the database whose start has begun already; after that, starts it anew. */
  readonly start: () => Promise<EmbeddedDatabase>;
  /** Stops the database if nobody has asked for it. */
  readonly discard: () => Promise<void>;
};

type DatabaseConfig = Pick<Config, "dataFolder" | "host" | "port" | "logLevel" | "logFormat">;

/**
 * Begins to start the embedded PostgreSQL and resolves when its programs run by themselves, so that this process can load the
 * service meanwhile: a first start is shorter by most of the time that initdb takes.
 */
export async function startDatabaseEarly(config: DatabaseConfig): Promise<EarlyDatabase> {
  const { dataFolder, host, port, logLevel: level, logFormat: format } = config;
  const log = createOutputLog({ level, format });
  const options = { dataFolder, log, address: `http://${host}:${port}` };
  let launch = () => {};
  const launched = new Promise<void>((resolve) => {
    launch = resolve;
  });
  let begun: Promise<EmbeddedDatabase> | null = startEmbedded({ ...options, onLaunch: () => launch() });
  // A failure is reported to whoever asks for the database.
  const failed = begun.then(
    () => {},
    () => {},
  );
  await Promise.race([launched, failed]);
  const take = () => {
    const taken = begun;
    begun = null;
    return taken;
  };
  return {
    log,
    start: () => take() ?? startEmbedded(options),
    discard: async () => {
      const database = await take()?.catch(() => null);
      await database?.stop();
    },
  };
}
