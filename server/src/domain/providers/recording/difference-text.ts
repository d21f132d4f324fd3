import { diffText } from "./line-diff.ts";
import { type Difference, jsonLines } from "./replay.ts";

/** A difference for people: what the recording has after a minus, what the replay has after a plus. */
export function differenceText({ operation, part, request, expected, found }: Difference): string {
  const name = part === "status" ? `${operation}.status` : operation;
  const place = request === null ? "outcome" : `request ${request}`;
  const [readable, other] = [readableLines(expected), readableLines(found)];
  // The bytes may differ where the content does not.
  const isSame = readable.join("\n") === other.join("\n");
  return `${name}, ${place}:\n${isSame ? diffText(expected, found) : diffText(readable, other)}`;
}

/** A JSON body on one line is shown on many. */
function readableLines(lines: readonly string[]): readonly string[] {
  const end = lines.indexOf("");
  if (end < 0) return lines;
  try {
    return [...lines.slice(0, end + 1), ...jsonLines(JSON.parse(lines.slice(end + 1).join("\n")))];
  } catch {
    return lines;
  }
}
