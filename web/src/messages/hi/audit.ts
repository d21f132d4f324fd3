import type { Translation } from "../catalogue.ts";
import type { auditText } from "../en/audit.ts";

export const audit: Translation<typeof auditText> = {
  entry: "प्रविष्टि",
  number: "क्रमांक",
  when: "कब",
  who: "किसने",
  action: "कार्रवाई",
  details: "विवरण",
  thisAuditEntryWasNot: "यह ऑडिट प्रविष्टि नहीं मिली।",
  audit: "ऑडिट",
};
