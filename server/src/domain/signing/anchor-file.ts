import { createReadStream, existsSync } from "node:fs";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import type { Queryable } from "../../platform/db/connection.ts";
import { sha256 } from "./signed-texts.ts";
import { listDayHashes, listRuns, readInstallation, readMarks, type SigningRunRow } from "./store.ts";

/** The path of the append-only file outside the database that holds every signing run. */
export type AnchorFile = string;

/** Every cell has a file of its own, beside that of home. */
export function anchorOfCell(file: AnchorFile, cell: number): AnchorFile {
  return cell === 0 ? file : `${file}.cell-${cell}`;
}

const anchorLine = z.object({ hash: z.string(), signed: z.string(), signature: z.string() });
/** A signing run as it was when it was written to the file. */
export type Anchor = z.output<typeof anchorLine>;

/** Reads the file; empty when it does not exist. A last line that a crash cut off is left out. */
export async function readAnchors(file: AnchorFile): Promise<readonly Anchor[]> {
  if (!existsSync(file)) return [];
  const lines = (await readFile(file, "utf8")).split("\n").slice(0, -1);
  return lines.flatMap((line) => {
    try {
      return anchorLine.safeParse(JSON.parse(line)).data ?? [];
    } catch {
      return [];
    }
  });
}

/**
 * Appends the runs that the file lacks. Lines are never changed: if runs were removed from the database and signed again,
 * the file holds both, and verification reports the difference.
 */
export async function anchorRuns(sql: Queryable, file: AnchorFile): Promise<void> {
  const known = new Set((await readAnchors(file)).map((anchor) => anchor.hash));
  const missing = (await listRuns(sql)).filter((run) => !known.has(run.hash.toString("hex")));
  for (const run of missing) {
    await writeMarks(sql, file, run);
    await appendLine(file, run);
  }
}

async function appendLine(file: AnchorFile, run: SigningRunRow): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const anchor: Anchor = { hash: run.hash.toString("hex"), signed: run.signed_text, signature: run.signature.toString("base64") };
  const handle = await open(file, "a", 0o600);
  try {
    // A line that a crash cut off must not swallow this one.
    const { size } = await handle.stat();
    const separator = size > 0 && !(await endsWithNewline(file, size)) ? "\n" : "";
    await handle.appendFile(`${separator}${JSON.stringify(anchor)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function endsWithNewline(file: AnchorFile, size: number): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer.toString() === "\n";
  } finally {
    await handle.close();
  }
}

const marksLine = z.object({ account_id: z.string(), hash: z.string(), marks: z.string() });

function marksPath(file: AnchorFile, hash: string): string {
  return join(`${file}.marks`, `${hash}.jsonl`);
}

/** Writes the marks of a run's accounts beside the file, so that changed transfers are named even if the database's marks were changed. */
async function writeMarks(sql: Queryable, file: AnchorFile, run: SigningRunRow): Promise<void> {
  const path = marksPath(file, run.hash.toString("hex"));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.draft`;
  const handle = await open(draft, "w", 0o600);
  try {
    const { cell } = await readInstallation(sql);
    for (const { account_id, hash } of await listDayHashes(sql, run.day, cell)) {
      const marks = await readMarks(sql, account_id, run.day);
      const line = { account_id, hash: hash.toString("hex"), marks: marks.toString("base64") } satisfies z.output<typeof marksLine>;
      await handle.appendFile(`${JSON.stringify(line)}\n`);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, path);
}

/** The marks of an account's day in the files of a run, if they are those that were signed. */
export async function findAnchoredMarks(file: AnchorFile, runHash: string, accountId: string, marksHash: string): Promise<Buffer | null> {
  for await (const line of readMarksLines(file, runHash)) {
    if (line.account_id !== accountId) continue;
    const marks = Buffer.from(line.marks, "base64");
    return sha256(marks).toString("hex") === marksHash ? marks : null;
  }
  return null;
}

/** The accounts of a run; empty if its file is missing. */
export async function listAnchoredAccounts(file: AnchorFile, runHash: string): Promise<readonly string[]> {
  const accounts: string[] = [];
  for await (const line of readMarksLines(file, runHash)) accounts.push(line.account_id);
  return accounts;
}

async function* readMarksLines(file: AnchorFile, runHash: string): AsyncGenerator<z.output<typeof marksLine>> {
  const path = marksPath(file, runHash);
  if (!existsSync(path)) return;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY }))
    yield marksLine.parse(JSON.parse(line));
}
