import { z } from "zod";
import { JOB_STATES } from "../../../domain/jobs/job.ts";
import { anyObject, timeText } from "./output-fields.ts";

/** A background job and its progress, as clients and staff see it. */
export const jobProgressOutput = z.strictObject({
  job_id: z.string(),
  kind: z.string(),
  input: anyObject.describe("What the job was started with; its fields depend on the kind."),
  state: z.enum(JOB_STATES),
  cancel_asked: z.boolean(),
  done: z.int().describe("Rows that are finished."),
  total: z.int().nullable(),
  rate_per_second: z.number().nullable(),
  eta_seconds: z.int().nullable(),
  created_at: timeText,
  started_at: timeText.nullable(),
  finished_at: timeText.nullable(),
  result: anyObject.nullable().describe("What it found; its fields depend on the kind. `file` names a file to download."),
});
