import { readFile } from "node:fs/promises";
import { isRecording, type Recording, readRecording } from "@corprail/server/domain/providers/recording/recording";
import { parseStrictJson } from "@corprail/server/platform/core/strict-json";
import { UsageFault } from "../shared/outcome.ts";

// Far above any recording: bodies are stored as texts, so the values inside them do not count.
const MAX_VALUES = 1_000_000;

/** The recording in a file; null when the file is something else. */
export async function recordingIn(path: string): Promise<Recording | null> {
  const parsed = parseStrictJson(await readFile(path), MAX_VALUES);
  if (!parsed.ok || !isRecording(parsed.value)) return null;
  const read = readRecording(parsed.value);
  if (!read.ok) throw new UsageFault(`${path} cannot be used. ${read.why}`);
  return read.recording;
}
