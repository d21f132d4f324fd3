/** Why the embedded PostgreSQL cannot start, in words for the person who started the service. */
export class EmbeddedDatabaseError extends Error {
  override readonly name: string = "EmbeddedDatabaseError";
}

export type Holder = {
  readonly pid: number;
  readonly since: string;
  readonly address: string | null;
};

export class DataFolderHeld extends EmbeddedDatabaseError {
  override readonly name = "DataFolderHeld";
  /** Null if the holder's note could not be read. */
  readonly holder: Holder | null;

  constructor(dataFolder: string, holder: Holder | null) {
    super(
      `The data folder ${dataFolder} is in use by ${describe(holder)}. ` +
        "Stop it first; or start this one with another CORPRAIL_DATA_DIR and CORPRAIL_PORT; " +
        `or join its database by setting CORPRAIL_DATABASE_URL to the address in ${dataFolder}/database-url.`,
    );
    this.holder = holder;
  }
}

function describe(holder: Holder | null): string {
  if (holder === null) return "another process (its note in holder.json is not readable)";
  const listening = holder.address === null ? "" : `, listening on ${holder.address}`;
  return `process ${holder.pid}, running since ${holder.since}${listening}`;
}

export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
