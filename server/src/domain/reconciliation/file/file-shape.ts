import { z } from "zod";
import { type CsvRecord, delimiterOf, UnreadableFile } from "./csv-reader.ts";

const column = z.object({
  name: z.string(),
  /** All different values; null when there are too many for a status column. */
  words: z.array(z.string()).nullable(),
});

/** A file's columns and examples, which staff need to map the columns. */
export const fileShape = z.object({
  delimiter: z.string(),
  columns: z.array(column),
  /** The first rows. */
  examples: z.array(z.object({ line: z.number(), cells: z.array(z.string()) })),
  rows: z.number(),
  lastLine: z.number(),
});
export type FileShape = z.infer<typeof fileShape>;

const MAX_COLUMNS = 200;
const MAX_ROWS = 1_000_000;
const MAX_WORDS = 24;
const WORD_LENGTH = 40;
const EXAMPLES = 8;
const EXAMPLE_LENGTH = 200;

export type ShapeReader = { readonly add: (record: CsvRecord) => void; readonly shape: () => FileShape };

/** Collects a file's shape record by record, the header first. Throws when a row does not match its header. */
export function readShape(): ShapeReader {
  let header: CsvRecord | null = null;
  let names: readonly string[] = [];
  let words: (Set<string> | null)[] = [];
  let [rows, lastLine] = [0, 0];
  const examples: FileShape["examples"] = [];
  const addRow = (record: CsvRecord) => {
    checkRow(record, names);
    if (++rows > MAX_ROWS) throw new UnreadableFile(`The file has more than ${MAX_ROWS} rows. Divide it.`);
    record.cells.forEach((cell, place) => {
      words[place] = withWord(words[place] ?? null, cell.trim());
    });
    if (examples.length < EXAMPLES) examples.push({ line: record.line, cells: record.cells.map((cell) => cell.slice(0, EXAMPLE_LENGTH)) });
  };
  return {
    add: (record) => {
      lastLine = record.line;
      if (header) return addRow(record);
      header = record;
      names = namesOf(record);
      words = names.map(() => new Set<string>());
    },
    shape: () => {
      if (!header || rows === 0) throw new UnreadableFile(header ? "The file has a header and no rows." : "The file is empty.");
      const columns = names.map((name, place) => ({ name, words: words[place] ? [...words[place]].sort() : null }));
      return { delimiter: delimiterOf(header.text, header.line), columns, examples, rows, lastLine };
    },
  };
}

/** The names of the columns; a column without a name gets its number. */
export function namesOf(header: CsvRecord): readonly string[] {
  const names = header.cells.map((cell, place) => cell.trim().slice(0, EXAMPLE_LENGTH) || `Column ${place + 1}`);
  if (names.length > MAX_COLUMNS) throw new UnreadableFile(`Line ${header.line} has more than ${MAX_COLUMNS} columns.`);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw new UnreadableFile(`Line ${header.line} has the column ${twice} twice.`);
  return names;
}

export function checkRow({ line, cells }: CsvRecord, names: readonly string[]): void {
  if (cells.length === names.length) return;
  throw new UnreadableFile(`Line ${line} has ${cells.length} ${cells.length === 1 ? "cell" : "cells"}, the header has ${names.length}.`);
}

function withWord(words: Set<string> | null, word: string): Set<string> | null {
  if (words === null || words.has(word)) return words;
  return words.size === MAX_WORDS || word.length > WORD_LENGTH ? null : words.add(word);
}
