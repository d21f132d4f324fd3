import type { Translation } from "../catalogue.ts";
import type { exportsText } from "../en/exports.ts";

export const exports: Translation<typeof exportsText> = {
  exportsWillAppearHereWith: "एक्सपोर्ट अपनी प्रगति के साथ यहाँ दिखेंगे। फ़ाइलें सात दिन तक डाउनलोड की जा सकती हैं।",
  exports: "एक्सपोर्ट",
  transactions: "लेन-देन {period}",
  period: "{from} से {to}",
  all: "सभी",
  enterADaySuchAs: "दिन डालें, जैसे {example}।",
  from: "से",
  to: "तक",
  startExport: "एक्सपोर्ट शुरू करें",
};
