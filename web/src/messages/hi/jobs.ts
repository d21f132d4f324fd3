import type { Translation } from "../catalogue.ts";
import type { jobsText } from "../en/jobs.ts";

export const jobs: Translation<typeof jobsText> = {
  theJobFailedAndMade: "काम विफल हुआ और उसने आगे कोई बदलाव नहीं किया। इसे दोबारा शुरू करें।",
  done: "{count} पूरे हुए",
  doneOfTotal: "{total} में से {done}",
  aSecond: "{count} प्रति सेकंड",
  left: "{duration} बाकी",
  cancel: "रद्द करें",
  download: "डाउनलोड करें",
};
