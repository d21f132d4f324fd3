import { messages } from "../catalogue.ts";

export const exportsText = messages("exports", {
  exportsWillAppearHereWith: "Exports will appear here with their progress. Files can be downloaded for seven days.",
  exports: "Exports",
  transactions: "Transactions {period}",
  period: "{from} to {to}",
  all: "All",
  enterADaySuchAs: "Enter a day such as {example}.",
  from: "From",
  to: "To",
  startExport: "Start export",
});
