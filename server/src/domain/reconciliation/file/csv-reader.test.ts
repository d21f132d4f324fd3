import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type CsvRecord, readCsv, UnreadableFile } from "./csv-reader.ts";

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(file: string | Uint8Array, size = 7): Promise<readonly CsvRecord[]> {
  const records: CsvRecord[] = [];
  for await (const some of readCsv(chunksOf(typeof file === "string" ? Buffer.from(file) : file, size))) records.push(...some);
  return records;
}

const cellsOf = async (file: string | Uint8Array, size?: number) => (await read(file, size)).map((record) => record.cells);

test.each([
  ["commas", "a,b\n1,2\n"],
  ["semicolons", "a;b\n1;2\n"],
  ["tabs", "a\tb\n1\t2\n"],
  ["bars", "a|b\n1|2\n"],
  ["carriage returns", "a,b\r\n1,2\r\n"],
  ["no end of the last line", "a,b\n1,2"],
  ["empty lines", "\na,b\n\r\n1,2\n\n\n"],
  ["a mark of its encoding", "\ufeffa,b\n1,2\n"],
  ["a mark and quotes", '\ufeff"a","b"\n1,2\n'],
])("a file with %s is read", async (_name, file) => {
  for (const size of [1, 2, 3, 5, 1000])
    expect(await cellsOf(file, size)).toEqual([
      ["a", "b"],
      ["1", "2"],
    ]);
});

test("a quoted cell holds delimiters, quotes and lines, and every record knows its line", async () => {
  const records = await read('id,text\n1,"a, ""b""\r\nc"\n2,""\n3,रुपये\n');
  expect(records.map(({ line, cells }) => [line, ...cells])).toEqual([
    [1, "id", "text"],
    [2, "1", 'a, "b"\r\nc'],
    [4, "2", ""],
    [5, "3", "रुपये"],
  ]);
  expect(records[1]?.text).toBe('1,"a, ""b""\r\nc"');
});

test.each([
  ["Line 2 has a quote in the middle", 'a,b\n5" by 6",2\n'],
  ["Line 3 has text behind a closing quote: x,2", 'a,b\n1,2\n"1"x,2\n'],
  ["Line 2 has a quote that is never closed", 'a,b\n"1,2\n3,4\n'],
  ["Line 1 has one column only", "a b c\n1 2 3\n"],
  ["Line 2 has a carriage return in the middle", "a,b\n1\r2,3\n"],
  ["Line 2 holds a NUL", "a,b\n1\0,2\n"],
  ["Line 2 is longer than 65536 bytes", `a,b\n1,"${"x\n".repeat(40_000)}"\n`],
  ["Line 2 is longer than 65536 bytes", `a,b\n1,${"x".repeat(70_000)}`],
  ["Line 2 is longer than 65536 bytes", `a,b\n${",".repeat(70_000)}\n`],
  ["Line 2 holds a NUL", 'a,b\n"1"\0x,2\n'],
])("a file is refused by its line: %s", async (message, file) => {
  for (const size of [7, 8192]) {
    await expect(read(file, size)).rejects.toThrow(message);
    await expect(read(file, size)).rejects.toThrow(UnreadableFile);
  }
});

test("a file that is not UTF-8 is refused by its line", async () => {
  const latin = Buffer.from("a,b\n1,2\n3,caf\xe9\n4,5\n", "latin1");
  for (const size of [1, 9, 1000]) await expect(read(latin, size)).rejects.toThrow("Line 3 is not UTF-8");
  await expect(read(Buffer.from("\ufeffa,b\n1,2\n", "utf16le"))).rejects.toThrow("The file is UTF-16");
  await expect(read(Buffer.from("\ufeffa,b", "utf16le"), 1)).rejects.toThrow("The file is UTF-16");
});

test("whatever cells are written by the rules are read again, in chunks of any size", async () => {
  const cell = fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => text.replaceAll("\0", ""));
  const row = fc.tuple(cell, cell, cell);
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 6 }),
      fc.constantFrom(",", ";", "\t"),
      fc.integer({ min: 1, max: 40 }),
      async (rows, by, size) => {
        const all = [["first", "second", "third"], ...rows];
        const file = all.map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(by)).join("\r\n");
        expect(await cellsOf(file, size)).toEqual(all);
      },
    ),
    { numRuns: 200 },
  );
});

test("what csv-parse refuses is refused, and what is read has the cells that csv-parse finds", async () => {
  const options = { delimiter: ",", record_delimiter: ["\r\n", "\n"], skip_empty_lines: true, relax_column_count: true };
  const anything = fc.string({ unit: fc.constantFrom(",", '"', '""', "a", " ", "é", "\n", "\r\n", '","', '"\n"'), maxLength: 12 });
  const cell = fc.constantFrom("", "a", " a ", '""', '"a"', '"a,b"', '"a\nb"', '"a\r\nb"', '"a""b"', "é");
  const valid = fc.array(fc.array(cell, { minLength: 1, maxLength: 3 })).map((rows) => rows.map((row) => row.join(",")).join("\r\n"));
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(anything, valid), fc.integer({ min: 1, max: 40 }), async (body, size) => {
      const file = `a,b\n${body}`;
      const own = await cellsOf(file, size).catch((error: unknown) => String(error));
      const theirs = attempt(() => parse(file, options));
      if (theirs === null) expect(own).toBeTypeOf("string");
      if (theirs === null || typeof own === "string") return;
      compared++;
      expect(own.filter(hasText)).toEqual(theirs.filter(hasText));
    }),
    { numRuns: 1_000 },
  );
  expect(compared).toBeGreaterThan(300);
});

// Only csv-parse returns lines of spaces.
function hasText(cells: readonly string[]): boolean {
  return cells.length > 1 || cells[0]?.trim() !== "";
}

function attempt<Value>(make: () => Value): Value | null {
  try {
    return make();
  } catch {
    return null;
  }
}
