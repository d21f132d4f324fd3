import { messages } from "../catalogue.ts";

export const jobsText = messages("jobs", {
  theJobFailedAndMade: "The job failed and made no further changes. Start it again.",
  done: "{count} done",
  doneOfTotal: "{done} of {total}",
  aSecond: "{count} a second",
  left: "{duration} left",
  cancel: "Cancel",
  download: "Download",
});
