import type { CommandContext } from "../run-command.ts";

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
