import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** Asks at the terminal on standard error, because standard output is for the result. A hidden answer is not echoed. */
export async function ask(question: string, how: "shown" | "hidden"): Promise<string> {
  const echo = how === "shown" ? process.stderr : new Writable({ write: (_chunk, _encoding, taken) => taken() });
  const reader = createInterface({ input: process.stdin, output: echo, terminal: true });
  process.stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      reader.once("line", (line) => resolve(line.trim()));
      // Ctrl-C or the end of input.
      reader.once("close", () => reject(new Error("Nothing was entered.")));
      reader.once("SIGINT", () => reader.close());
    });
  } finally {
    if (how === "hidden") process.stderr.write("\n");
    reader.close();
  }
}
