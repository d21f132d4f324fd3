import type { Recording } from "../recording/recording.ts";
import { createRecordedService, isFaultOfConnection } from "./recorded-service.ts";
import { type AnsweringServer, startAnswering, type TwinOptions, UnservableDescription } from "./start-twin.ts";

export type RecordedTwinOptions = Pick<TwinOptions, "port" | "host" | "fault" | "answer" | "callbackUrl" | "slowMilliseconds" | "onEvent">;

/** Serves the answers of a recording. Throws when something is asked for that only a description has. */
export async function startRecordedTwin(recording: Recording, options: RecordedTwinOptions = {}): Promise<AnsweringServer> {
  const { fault, answer, callbackUrl, onEvent = () => {} } = options;
  if (fault !== undefined && !isFaultOfConnection(fault))
    throw new UnservableDescription(`The fault ${fault} needs a description: a recording has only the answers that came.`);
  if (answer !== undefined) throw new UnservableDescription("A recording answers what was recorded. Other answers need a description.");
  if (callbackUrl !== undefined) throw new UnservableDescription("A recording has no callbacks. They need a description.");
  return await startAnswering(createRecordedService(recording, { fault, onEvent }), options);
}
