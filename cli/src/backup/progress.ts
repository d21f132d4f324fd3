import type { CommandContext } from "../shared/run-command.ts";

export type Progress = {
  /** Shows the progress, at most once per interval. */
  readonly show: (words: () => string) => void;
  /** Clears the live line; nothing is shown after this. */
  readonly end: () => void;
};

type Screen = { readonly isTTY?: boolean; readonly columns?: number; readonly write: (text: string) => unknown };

const LIVE_MILLISECONDS = 200;
const LINE_MILLISECONDS = 2_000;
const CLEAR_LINE = "\r\u001b[K";

/** On a terminal one updated line, elsewhere one line every two seconds. */
export function startProgress({ note }: Pick<CommandContext, "note">, screen: Screen = process.stderr): Progress {
  const isLive = screen.isTTY === true;
  const interval = isLive ? LIVE_MILLISECONDS : LINE_MILLISECONDS;
  let last = performance.now() - (isLive ? interval : 0);
  return {
    show: (words) => {
      const now = performance.now();
      if (now - last < interval) return;
      last = now;
      if (isLive) screen.write(`${CLEAR_LINE}${words().slice(0, (screen.columns || 80) - 1)}`);
      else note(words());
    },
    end: () => {
      last = Number.POSITIVE_INFINITY;
      if (isLive) screen.write(CLEAR_LINE);
    },
  };
}

export type StallWatch = {
  /** Records progress. `where` is named in the message if nothing follows. */
  readonly step: (where: string) => void;
  readonly stop: () => void;
  /** The message of the stall; null if there was none. */
  readonly stalled: () => string | null;
};

/** Calls `onStall` once after `limitSeconds` without progress, so that a hanging database or disk does not block forever. */
export function watchForStall(limitSeconds: number, onStall: () => void): StallWatch {
  let place = "the start";
  let words: string | null = null;
  const timer = setTimeout(() => {
    words = `Nothing was read or written for ${limitSeconds} seconds, at ${place}. The database or the disk does not answer; nothing was kept. Try again.`;
    onStall();
  }, limitSeconds * 1000);
  return {
    step: (where) => {
      place = where;
      timer.refresh();
    },
    stop: () => clearTimeout(timer),
    stalled: () => words,
  };
}
