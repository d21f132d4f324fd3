import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Runs a round several times, with a collection of young objects after each. Returns how many bytes became old objects,
 * because they survived two collections. A round must be small, so that V8 makes no collections of its own meanwhile.
 */
export async function survivors(rounds: number, round: () => unknown): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options?: { readonly type: "minor" }) => void;
  await round();
  collect();
  const before = oldObjects();
  for (let done = 0; done < rounds; done++) {
    await round();
    collect({ type: "minor" });
  }
  return oldObjects() - before;
}

function oldObjects(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")?.space_used_size ?? 0;
}
