import type { CommandContext } from "../run-command.ts";

const EVERY_MILLISECONDS = 2_000;

/** A word now and then while something takes long; none when it does not. */
export function progress({ note }: Pick<CommandContext, "note">): (words: () => string) => void {
  let last = performance.now();
  return (words) => {
    const now = performance.now();
    if (now - last < EVERY_MILLISECONDS) return;
    last = now;
    note(words());
  };
}
