import { messages } from "../catalogue.ts";

export const limitsText = messages("limits", {
  usedUp: "Used up",
  nearlyUsedUp: "Nearly used up",
  available: "Available",
  limits: "Limits",
  callsInTheLastMinute: "Calls in the last minute against each limit. Calls over a limit are refused with 429 and code 123.",
  moneyCalls: "Money calls",
  countsEveryPostRequest: "Counts every POST request.",
  getCalls: "GET calls",
  countsEveryGetRequestNever: "Counts every GET request. Never higher than the limit of money calls.",
  inTheLastMinute: "{title} in the last minute",
  usedOf: "{used} of {limit}",
  ofAMinute: "of {limit} a minute",
  dailyLimit: "Daily limit",
  usedTodayTheAccountHas: "{used} used today. The account has no daily limit.",
  perCalendarDayInIndia: "Per calendar day in India time.",
  dailyLimitUsedToday: "Daily limit used today",
});
