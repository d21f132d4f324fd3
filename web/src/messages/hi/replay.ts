import type { Translation } from "../catalogue.ts";
import type { replayText } from "../en/replay.ts";

export const replay: Translation<typeof replayText> = {
  replayCallbacks: "कॉलबैक दोबारा भेजें",
  sendsCallbacksAgain: "किसी ऑर्डर के या किसी समय-अवधि के कॉलबैक दोबारा भेजता है, पहुँच चुके कॉलबैक भी। अगला चरण दिखाता है कि वे कितने हैं।",
  orderIdOptional: "ऑर्डर id (वैकल्पिक)",
  createdSince: "इस समय से बने (भारत का समय)",
  createdBefore: "इस समय से पहले बने (वैकल्पिक)",
  delivery: "डिलीवरी",
  deliveredOrNot: "पहुँचे हों या नहीं",
  delivered: "पहुँचे",
  waitingOrFailing: "प्रतीक्षा में या असफल",
  countCallbacks: "कॉलबैक गिनें",
  callbacksWillBeSentAgain: {
    one: "{count} कॉलबैक दोबारा भेजा जाएगा।",
    other: "{count} कॉलबैक दोबारा भेजे जाएँगे।",
  },
  nothingToSend: "कोई कॉलबैक दोबारा नहीं भेजा जा सकता। दूसरा ऑर्डर या दूसरा समय चुनें।",
  leftOut: "{count} छोड़े गए: {reason}",
  moreMatch: "एक बार में जितने भेजे जा सकते हैं उससे अधिक कॉलबैक मिलते हैं। सबसे नए भेजे जाते हैं; बाकी के लिए छोटी अवधि चुनें।",
  sendAgain: "दोबारा भेजें",
};
