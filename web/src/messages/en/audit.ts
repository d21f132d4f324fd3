import { messages } from "../catalogue.ts";

export const auditText = messages("audit", {
  entry: "Entry",
  number: "Number",
  when: "When",
  who: "Who",
  action: "Action",
  details: "Details",
  thisAuditEntryWasNot: "This audit entry was not found.",
  audit: "Audit",
});
