import { differenceText } from "@corprail/server/domain/providers/recording/difference-text";
import type { Recording } from "@corprail/server/domain/providers/recording/recording";
import { type Replayed, replay, UnusableSettings } from "@corprail/server/domain/providers/recording/replay";
import type { DescribedProvider } from "@corprail/server/domain/providers/settings/described-provider";
import { counted } from "../shared/counted.ts";
import { done, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { faulty, readProviderFile, secretsFor } from "./provider-file.ts";
import { recordingIn } from "./recording-file.ts";

/** Carries a recording out again without a network, and compares every request and outcome. */
export async function replayProvider(ctx: CommandContext, path: string, file: string | undefined): Promise<Outcome> {
  const recording = await recordingIn(path);
  if (recording === null) throw new UsageFault(`${path} is not a recording. corprail provider record writes one.`);
  const read = file === undefined ? null : await readProviderFile(file);
  if (file !== undefined && read !== null && !read.ok) return faulty(file, read.faults);
  const described: DescribedProvider = read?.ok ? read.file : recording;
  if (described.connector !== recording.connector)
    return failed(`${path} is a recording of the connector ${recording.connector}, but ${file} is of ${described.connector}.`);
  // Only a plug-in computes its own signatures, for which a placeholder may not do.
  const secrets = described.connector === "plugin" ? await secretsFor(ctx, file ?? path, described) : {};
  try {
    return resultOf(recording, await replay(recording, { described, secrets }));
  } catch (error) {
    if (error instanceof UnusableSettings) return faulty(file ?? path, error.faults);
    throw error;
  }
}

function resultOf({ provider }: Recording, { operations, differences }: Replayed): Outcome {
  const requests = operations.reduce((sum, one) => sum + one.requests.length, 0);
  const counts = { provider, operations: operations.length, requests };
  if (differences.length === 0)
    return done(`The same: ${counted(requests, "request")}, ${counted(operations.length, "outcome")}.`, { ...counts, differences });
  const report = ["- recording, + replay", ...differences.map(differenceText)].join("\n\n");
  return failed(
    `The replay differs in ${differences.length} ${differences.length === 1 ? "place" : "places"}.`,
    { ...counts, differences },
    report,
  );
}
