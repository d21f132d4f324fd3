import { z } from "zod";
import { csvLines } from "./csv.ts";
import type { Job } from "./job.ts";
import type { JobControl } from "./kind.ts";

/** The paged source of a CSV file. */
export type CsvSource = {
  readonly columns: readonly string[];
  /** The number of records to scan. */
  readonly count: () => Promise<number>;
  /** The next page after a position, or the first. */
  readonly read: (after: string | null) => Promise<CsvPiece>;
};

export type CsvPiece = {
  /** The number of scanned records, and those that belong in the file. */
  readonly looked: number;
  readonly rows: readonly (readonly string[])[];
  /** The position of the last record; null when there was none. */
  readonly last: string | null;
  readonly more: boolean;
};

const placeSchema = z.object({ after: z.string().nullable(), rows: z.number(), parts: z.number(), total: z.number() });
type Place = z.infer<typeof placeSchema>;

const PART_BYTES = 1024 * 1024;

/** Writes a file in parts and returns its number of rows. Parts and position are committed together, so that none is repeated. */
export async function writeCsv(job: Job, control: JobControl, source: CsvSource): Promise<number> {
  let at: Place = job.place === null ? { after: null, rows: 0, parts: 0, total: await source.count() } : placeSchema.parse(job.place);
  let done = job.place === null ? 0 : job.done;
  let text = at.parts === 0 ? csvLines([source.columns]) : "";
  for (let more = true; more && !control.stopped(); ) {
    const piece = await source.read(at.after);
    text += csvLines(piece.rows);
    done += piece.looked;
    at = { ...at, after: piece.last ?? at.after, rows: at.rows + piece.rows.length };
    more = piece.more;
    if (more && !control.isDue() && text.length < PART_BYTES) continue;
    const part = { number: at.parts, content: text };
    if (text !== "") at = { ...at, parts: at.parts + 1 };
    await control.save({ done, total: Math.max(at.total, done), place: at, ...(text === "" ? {} : { part }) });
    text = "";
  }
  return at.rows;
}
