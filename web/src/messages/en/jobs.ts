import { messages } from "../catalogue.ts";

export const jobsText = messages("jobs", {
  theJobFailedAndMade: "The job failed and made no further changes. Start it again.",
  done: "{value} done",
  of: " of {total}",
  aSecond: " · {ratePerSecond} a second",
  left: " · {etaSeconds} left",
  cancel: "Cancel",
  download: "Download",
});
