import { existsSync, readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Longest first; scripts/long-files.mjs writes it from the report of a run.
const LIST = new URL("long-files.json", import.meta.url);
const ROOT = new URL("..", import.meta.url);

/** Starts the files that take longest first, so that no worker has one of them left when the others are done. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const places = new Map(longFiles().map((name, place) => [new URL(name, ROOT).pathname, place]));
    const placeOf = (file: TestSpecification) => places.get(file.moduleId) ?? places.size;
    // The rest by size or by what an earlier run on this machine took, as always; the order of equal ones is kept.
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other));
  }
}

function longFiles(): readonly string[] {
  const names = JSON.parse(readFileSync(LIST, "utf8")) as readonly string[];
  const missing = names.filter((name) => !existsSync(new URL(name, ROOT)));
  if (missing.length > 0) throw new Error(`testing/long-files.json names files that do not exist: ${missing.join(", ")}.`);
  return names;
}
