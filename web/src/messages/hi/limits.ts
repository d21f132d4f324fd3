import type { Translation } from "../catalogue.ts";
import type { limitsText } from "../en/limits.ts";

export const limits: Translation<typeof limitsText> = {
  usedUp: "पूरी इस्तेमाल हुई",
  nearlyUsedUp: "लगभग पूरी इस्तेमाल हुई",
  available: "उपलब्ध",
  limits: "सीमाएँ",
  callsInTheLastMinute: "पिछले मिनट की कॉल, हर सीमा के मुकाबले। सीमा से ज़्यादा कॉल 429 और कोड 123 के साथ अस्वीकार होती हैं।",
  moneyCalls: "पैसे वाली कॉल",
  countsEveryPostRequest: "हर POST रिक्वेस्ट गिनी जाती है।",
  getCalls: "GET कॉल",
  countsEveryGetRequestNever: "हर GET रिक्वेस्ट गिनी जाती है। यह सीमा पैसे वाली कॉल की सीमा से ऊपर नहीं होती।",
  inTheLastMinute: "{title}, पिछले मिनट में",
  usedOf: "{limit} में से {used}",
  ofAMinute: "प्रति मिनट {limit} में से",
  dailyLimit: "दैनिक सीमा",
  usedTodayTheAccountHas: "आज {used} इस्तेमाल हुआ। खाते की कोई दैनिक सीमा नहीं है।",
  perCalendarDayInIndia: "भारतीय समय के हर कैलेंडर दिन के लिए।",
  dailyLimitUsedToday: "आज इस्तेमाल हुई दैनिक सीमा",
};
