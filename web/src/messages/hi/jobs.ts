import type { Translation } from "../catalogue.ts";
import type { jobsText } from "../en/jobs.ts";

export const jobs: Translation<typeof jobsText> = {
  theJobFailedAndMade: "काम विफल हुआ और उसने आगे कोई बदलाव नहीं किया। इसे दोबारा शुरू करें।",
  done: "{value} पूरे हुए",
  of: " / {total}",
  aSecond: " · {ratePerSecond} प्रति सेकंड",
  left: " · {etaSeconds} बाकी",
  cancel: "रद्द करें",
  download: "डाउनलोड करें",
};
