import { z } from "zod";
import { csvLines } from "./csv.ts";
import type { Job } from "./job.ts";
import type { JobHand } from "./kind.ts";

/** What a file is written from, piece by piece. */
export type CsvSource = {
  readonly columns: readonly string[];
  /** How many there are to look at. */
  readonly count: () => Promise<number>;
  /** The next piece after a place, or the first. */
  readonly read: (after: string | null) => Promise<CsvPiece>;
};

export type CsvPiece = {
  /** How many were looked at, and those of them that belong into the file. */
  readonly looked: number;
  readonly rows: readonly (readonly string[])[];
  /** The place of the last one; null when there was none. */
  readonly last: string | null;
  readonly more: boolean;
};

const placeSchema = z.object({ after: z.string().nullable(), rows: z.number(), parts: z.number(), total: z.number() });
type Place = z.infer<typeof placeSchema>;

const PART_BYTES = 1024 * 1024;

/** Writes a file in parts and answers how many rows it has. Parts and place are written together, so that none comes twice. */
export async function writeCsv(job: Job, hand: JobHand, source: CsvSource): Promise<number> {
  let at: Place = job.place === null ? { after: null, rows: 0, parts: 0, total: await source.count() } : placeSchema.parse(job.place);
  let done = job.place === null ? 0 : job.done;
  let text = at.parts === 0 ? csvLines([source.columns]) : "";
  for (let more = true; more && !hand.stopped(); ) {
    const piece = await source.read(at.after);
    text += csvLines(piece.rows);
    done += piece.looked;
    at = { ...at, after: piece.last ?? at.after, rows: at.rows + piece.rows.length };
    more = piece.more;
    if (more && !hand.isDue() && text.length < PART_BYTES) continue;
    const part = { number: at.parts, content: text };
    if (text !== "") at = { ...at, parts: at.parts + 1 };
    await hand.save({ done, total: Math.max(at.total, done), place: at, ...(text === "" ? {} : { part }) });
    text = "";
  }
  return at.rows;
}
