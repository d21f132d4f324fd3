import { type DestinationStream, pino } from "pino";

const BLOCK_CHARACTERS = 64 * 1024;
const FLUSH_MILLISECONDS = 100;

type Output = DestinationStream & { readonly flush: () => void };

let opened: Output | null = null;

/** The process's standard output, shared by all logs. */
export function standardOutput(): DestinationStream {
  opened ??= createOutput();
  return opened;
}

/** Writes out buffered lines, so that the log of the start is complete when the service is ready. */
export function flushOutput(): void {
  opened?.flush();
}

/**
 * Buffers lines and writes them in blocks, because one system call per line would delay every request. pino's own buffer
 * measures its whole content at every line. The rest is written when the process exits.
 */
function createOutput(): Output {
  let block = "";
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (block === "") return;
    const full = block;
    block = "";
    output.write(full);
  };
  // Registered before pino's exit listener, which writes out pino's buffer.
  process.once("exit", flush);
  const output = pino.destination({ fd: 1, sync: false });
  return {
    write: (line) => {
      block += line;
      timer ??= setTimeout(flush, FLUSH_MILLISECONDS).unref();
      if (block.length >= BLOCK_CHARACTERS) flush();
    },
    flush: () => {
      flush();
      output.flushSync();
    },
  };
}
