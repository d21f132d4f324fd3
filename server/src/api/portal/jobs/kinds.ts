import type { Callbacks } from "../../../domain/callbacks/start-callbacks.ts";
import type { JobContext, JobKinds } from "../../../domain/jobs/kind.ts";
import { exportTransactions } from "./export-transactions.ts";
import { recoverFailed } from "./recover-failed.ts";
import { replayCallbacks } from "./replay-callbacks.ts";

export type WorkContext = JobContext & { readonly callbacks: Pick<Callbacks, "makeDue"> };

/** All kinds of portal jobs. */
export const PORTAL_KINDS: JobKinds<WorkContext> = {
  export: exportTransactions,
  recover: recoverFailed,
  replay: replayCallbacks,
};
