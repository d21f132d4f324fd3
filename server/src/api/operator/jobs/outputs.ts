import { z } from "zod";
import { jobProgressOutput } from "../../sites/outputs/job-output.ts";

/** A background job of staff. */
export const jobFieldsOutput = jobProgressOutput.extend({ asked_by: z.string() }).meta({ id: "Job" });

/** The job that an action started. */
export const jobOutput = z.strictObject({ job: jobFieldsOutput }).meta({ id: "StartedJob" });
