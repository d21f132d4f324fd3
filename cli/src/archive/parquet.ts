import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, type SchemaElement } from "hyparquet";
import { fileWriter, parquetWriteRows } from "hyparquet-writer";
import type { ArchivedColumn, ColumnKind } from "./archived-tables.ts";

export type Value = string | number | bigint | boolean | null;
export type ArchivedRow = Readonly<Record<string, Value>>;
export type WrittenFile = { readonly name: string; readonly rows: number; readonly bytes: number; readonly sha256: string };

const ELEMENTS: Readonly<Record<ColumnKind, Partial<SchemaElement>>> = {
  long: { type: "INT64" },
  integer: { type: "INT32" },
  boolean: { type: "BOOLEAN" },
  time: {
    type: "INT64",
    converted_type: "TIMESTAMP_MICROS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
  },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

const ROWS_A_GROUP = 50_000;

/** Writes one table. The rows come in batches and are never all in memory. */
export async function writeParquet(
  path: string,
  name: string,
  columns: readonly ArchivedColumn[],
  batches: AsyncIterable<readonly ArchivedRow[]>,
): Promise<WrittenFile> {
  let count = 0;
  async function* rows(): AsyncGenerator<ArchivedRow> {
    for await (const batch of batches) {
      count += batch.length;
      yield* batch;
    }
  }
  const elements = columns.map(
    ({ name: column, kind, nullable }): SchemaElement => ({
      ...ELEMENTS[kind],
      name: column,
      repetition_type: nullable ? "OPTIONAL" : "REQUIRED",
    }),
  );
  await parquetWriteRows({
    writer: fileWriter(path),
    rows: rows(),
    columns: columns.map(({ name: column }) => ({ name: column })),
    schema: [{ name: "root", num_children: columns.length }, ...elements],
    rowGroupSize: ROWS_A_GROUP,
    createdBy: "corprail archive",
  });
  await chmod(path, 0o600);
  return { name, rows: count, bytes: (await stat(path)).size, sha256: await sha256Of(path) };
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** Reads a file row group by row group. Times are microseconds since 1970. */
export async function* readParquet(path: string, columns?: readonly string[]): AsyncGenerator<readonly ArchivedRow[]> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    const rows = await parquetReadObjects({
      file,
      metadata,
      rowStart,
      rowEnd,
      ...(columns === undefined ? {} : { columns: [...columns] }),
      parsers: { timestampFromMicroseconds: (micros: bigint) => micros },
    });
    yield rows as readonly ArchivedRow[];
    rowStart = rowEnd;
  }
}
