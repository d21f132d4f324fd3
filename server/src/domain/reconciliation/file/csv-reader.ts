import { isUtf8 } from "node:buffer";

export type CsvRecord = {
  /** The line where it begins; the first line is 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** As in the file, without the line ending. */
  readonly text: string;
};

/** The file is not valid; the message names the line. */
export class UnreadableFile extends Error {}

const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

const MAX_RECORD_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF_16 = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/**
 * Reads a CSV file strictly by RFC 4180: a cell is quoted as a whole or not at all. Yields the records of each chunk and
 * skips empty lines. The delimiter is the most frequent candidate in the first record.
 */
export async function* readCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly CsvRecord[]> {
  const records = recordSplitter();
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of chunks) {
    let bytes: Buffer = Buffer.concat([rest, chunk]);
    if (isFirst && bytes.length < BOM.length) {
      rest = bytes;
      continue;
    }
    if (isFirst) bytes = withoutMark(bytes);
    isFirst = false;
    // In UTF-8 this byte occurs only as a newline, so complete lines are complete characters.
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    rest = bytes.subarray(end);
    if (rest.length > MAX_RECORD_BYTES) throw records.tooLong();
    if (end > 0) yield records.take(bytes.subarray(0, end));
  }
  if (isFirst) rest = withoutMark(rest);
  yield records.end(rest);
}

function withoutMark(bytes: Buffer): Buffer {
  if (UTF_16.some((mark) => bytes.subarray(0, 2).equals(mark))) throw new UnreadableFile("The file is UTF-16. Save it as CSV in UTF-8.");
  return bytes.subarray(0, BOM.length).equals(BOM) ? bytes.subarray(BOM.length) : bytes;
}

type Begun = { readonly line: number; readonly texts: string[]; length: number; isOpen: boolean };

function beginAt(line: number): Begun {
  return { line, texts: [], length: 0, isOpen: false };
}

/** Splits complete lines into records; a quoted cell may span several lines. */
function recordSplitter() {
  let line = 1;
  let begun = beginAt(1);
  let delimiter: Delimiter | null = null;
  const tooLong = () =>
    new UnreadableFile(`Line ${begun.line} is longer than ${MAX_RECORD_BYTES} bytes. Perhaps a quote there is never closed.`);
  const finish = (): readonly CsvRecord[] => {
    const { line: at, texts } = begun;
    begun = beginAt(line);
    const text = texts.join("\n").replace(/\r$/, "");
    if (text.trim() === "") return [];
    delimiter ??= delimiterOf(text, at);
    return [{ line: at, cells: splitRecord(text, delimiter, at), text }];
  };
  const addLine = (text: string): readonly CsvRecord[] => {
    line++;
    begun.texts.push(text);
    begun.length += text.length + 1;
    if (begun.length > MAX_RECORD_BYTES) throw tooLong();
    if (countQuotes(text) % 2 === 1) begun.isOpen = !begun.isOpen;
    return begun.isOpen ? [] : finish();
  };
  const take = (bytes: Buffer): readonly CsvRecord[] => {
    if (!isUtf8(bytes)) throw new UnreadableFile(`Line ${line + linesBeforeBad(bytes)} is not UTF-8. Save the file as CSV in UTF-8.`);
    return bytes.toString("utf8").split("\n").slice(0, -1).flatMap(addLine);
  };
  const end = (bytes: Buffer): readonly CsvRecord[] => {
    const found = take(Buffer.concat([bytes, Buffer.from("\n")]));
    if (begun.isOpen) throw new UnreadableFile(`Line ${begun.line} has a quote that is never closed.`);
    return found;
  };
  return { take, end, tooLong };
}

function linesBeforeBad(bytes: Buffer): number {
  let lines = 0;
  for (let from = 0; from < bytes.length; lines++) {
    const end = bytes.indexOf(NEWLINE, from) + 1;
    if (!isUtf8(bytes.subarray(from, end))) break;
    from = end;
  }
  return lines;
}

function countQuotes(text: string): number {
  let quotes = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) quotes++;
  return quotes;
}

/** The most frequent delimiter of a header. */
export function delimiterOf(header: string, line: number): Delimiter {
  const bare = header.replaceAll(/"(?:[^"]|"")*"/g, "");
  const [best] = DELIMITERS.map((delimiter) => ({ delimiter, count: bare.split(delimiter).length - 1 })).sort((a, b) => b.count - a.count);
  if (best && best.count > 0) return best.delimiter;
  throw new UnreadableFile(`Line ${line} has one column only. Columns are divided by a comma, a semicolon, a tab or a bar.`);
}

/** The cells of a record. Throws when its quotes are not valid. */
export function splitRecord(text: string, delimiter: string, line: number): readonly string[] {
  if (text.includes("\0")) throw new UnreadableFile(`Line ${line} holds a NUL, which no text has.`);
  if (!text.includes('"')) return whole(text.split(delimiter), line);
  const cells: string[] = [];
  for (let at = 0; at <= text.length; ) {
    const { cell, end } = text[at] === '"' ? quoted(text, at, delimiter, line) : plain(text, at, delimiter, line);
    cells.push(cell);
    at = end + 1;
  }
  return cells;
}

function whole(cells: readonly string[], line: number): readonly string[] {
  if (cells.some((cell) => cell.includes("\r"))) throw new UnreadableFile(`Line ${line} has a carriage return in the middle.`);
  return cells;
}

type Cell = { readonly cell: string; readonly end: number };

function plain(text: string, from: number, delimiter: string, line: number): Cell {
  const found = text.indexOf(delimiter, from);
  const end = found === -1 ? text.length : found;
  const cell = text.slice(from, end);
  if (cell.includes('"')) throw new UnreadableFile(`Line ${line} has a quote in the middle of a cell: ${cell.slice(0, 40)}`);
  whole([cell], line);
  return { cell, end };
}

function quoted(text: string, from: number, delimiter: string, line: number): Cell {
  let at = text.indexOf('"', from + 1);
  while (text[at + 1] === '"') at = text.indexOf('"', at + 2);
  const end = at + 1;
  if (end < text.length && text[end] !== delimiter)
    throw new UnreadableFile(`Line ${line} has text behind a closing quote: ${text.slice(end, end + 40)}`);
  return { cell: text.slice(from + 1, at).replaceAll('""', '"'), end };
}
