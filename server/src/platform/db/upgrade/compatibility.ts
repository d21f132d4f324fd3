import type { Migration } from "../schema/read-schema.ts";

export type AppliedVersion = {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  /** The newest migration that a program must know to work with the database after this one; null: any. */
  readonly needs: number | null;
};

/** Why a program that knows these migrations cannot use the database; null if it can. */
export function incompatibility(applied: readonly AppliedVersion[], known: readonly Migration[]): string | null {
  const newest = Math.max(0, ...known.map(({ version }) => version));
  for (const row of applied) {
    const ours = known.find(({ version }) => version === row.version);
    if (ours && ours.checksum !== row.checksum)
      return `Migration ${row.version} (${row.name}) differs from the one applied to this database: restore its original file.`;
    if (!ours && row.needs !== null && row.needs > newest)
      return `The database has migration ${row.version} (${row.name}), which this version of Corprail does not know: start the newer version again.`;
  }
  return null;
}

/** The migrations of the database that this program does not know. It can work with them if there is no incompatibility. */
export function newerThanKnown(applied: readonly AppliedVersion[], known: readonly Migration[]): readonly AppliedVersion[] {
  return applied.filter(({ version }) => !known.some((ours) => ours.version === version));
}

/** The migrations that a start applies. Contracting ones wait until no older version runs; an empty database gets all. */
export function missingFrom(
  applied: readonly Pick<AppliedVersion, "version">[],
  known: readonly Migration[],
  contract: boolean,
): readonly Migration[] {
  const isEmpty = applied.length === 0;
  return known.filter(
    ({ version, phase }) => !applied.some((row) => row.version === version) && (contract || isEmpty || phase !== "contract"),
  );
}
