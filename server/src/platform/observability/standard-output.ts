import { type DestinationStream, pino } from "pino";

const BLOCK_CHARACTERS = 64 * 1024;
const FLUSH_MILLISECONDS = 100;

type Output = DestinationStream & { readonly flush: () => void };

let opened: Output | null = null;

/** The one there is, however many logs write to it. */
export function standardOutput(): DestinationStream {
  opened ??= createOutput();
  return opened;
}

/** Writes out what has gathered: whoever finds the service ready finds in its log how it got there. */
export function flushOutput(): void {
  opened?.flush();
}

/**
 * Standard output, a block of lines at a time: one system call for each would hold every request up. pino could gather
 * them itself, but measures what it has gathered anew at every line. What is left is written when the process exits.
 */
function createOutput(): Output {
  let block = "";
  const flush = () => {
    if (block === "") return;
    const full = block;
    block = "";
    output.write(full);
  };
  // Before pino's own listener, which writes out what it was given.
  process.once("exit", flush);
  const output = pino.destination({ fd: 1, sync: false });
  setInterval(flush, FLUSH_MILLISECONDS).unref();
  return {
    write: (line) => {
      block += line;
      if (block.length >= BLOCK_CHARACTERS) flush();
    },
    flush: () => {
      flush();
      output.flushSync();
    },
  };
}
