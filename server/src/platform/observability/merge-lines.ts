import type { Readable } from "node:stream";
import type { DestinationStream } from "pino";

/** The time at which a line was written: `"time":"2026-01-31T09:30:00.000Z"`, or `09:30:00.000` in readable lines. */
const TIME = /(?:\d{4}-\d\d-\d\dT)?\d\d:\d\d:\d\d\.\d{3}/;
const START_CHARACTERS = 64;
const EVERY_MILLISECONDS = 50;
// A process writes out its lines every 100 milliseconds, and a busy one later.
const HOLD_MILLISECONDS = 250;

type Line = { readonly time: string; readonly arrivedAt: number; text: string };

export type MergedLines = {
  /** Adds the log of another process. */
  readonly follow: (stream: Readable) => void;
  /** For this process's own log. */
  readonly destination: DestinationStream;
  /** Writes out everything that is held back. */
  readonly flush: () => void;
};

/** Merges the logs of several processes: no line is torn, and lines are in the order of their times. */
export function mergeLines(write: (text: string) => void, now: () => number = () => performance.now()): MergedLines {
  let held: Line[] = [];
  const add = (text: string, before: Line | undefined): Line | undefined => {
    const time = TIME.exec(text.slice(0, START_CHARACTERS))?.[0];
    // A line without a time, such as one of a stack, belongs to the line before it.
    if (time === undefined && before !== undefined) {
      before.text += text;
      return before;
    }
    const line = { time: time ?? "", arrivedAt: now(), text };
    held.push(line);
    return line;
  };
  const release = (isDue: (line: Line) => boolean) => {
    held.sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0));
    // What is older than a line that is due must not come after it.
    const end = held.findLastIndex(isDue) + 1;
    if (end === 0) return;
    write(
      held
        .slice(0, end)
        .map((line) => line.text)
        .join(""),
    );
    held = held.slice(end);
  };
  setInterval(() => release((line) => now() - line.arrivedAt >= HOLD_MILLISECONDS), EVERY_MILLISECONDS).unref();
  return {
    follow: (stream) => followLines(stream, add),
    destination: { write: (text) => void add(text, undefined) },
    flush: () => release(() => true),
  };
}

function followLines(stream: Readable, add: (text: string, before: Line | undefined) => Line | undefined): void {
  let rest = "";
  let before: Line | undefined;
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const end = chunk.lastIndexOf("\n") + 1;
    if (end === 0) {
      rest += chunk;
      return;
    }
    const whole = rest + chunk.slice(0, end);
    rest = chunk.slice(end);
    for (let from = 0; from < whole.length; ) {
      const next = whole.indexOf("\n", from) + 1;
      before = add(whole.slice(from, next), before);
      from = next;
    }
  });
  stream.once("end", () => {
    if (rest !== "") add(`${rest}\n`, before);
  });
}
