import type { Translation } from "../catalogue.ts";
import type { statusSubscriptionsText } from "../en/status-subscriptions.ts";

export const statusSubscriptions: Translation<typeof statusSubscriptionsText> = {
  notifications: "सूचनाएँ",
  hint: "किसी घटना या रखरखाव की हर नई जानकारी आपको भेजी जाती है।",
  mail: "{email} पर ई-मेल",
  mailHint: "केवल आपके लिए। दूसरे सदस्य अपने लिए स्वयं चुनते हैं।",
  noMail: "यह इंस्टॉलेशन ई-मेल नहीं भेजता।",
  subscribed: "हर नई जानकारी पर आपको ई-मेल मिलेगा।",
  unsubscribed: "स्थिति के बारे में अब आपको ई-मेल नहीं मिलेंगे।",
  webhook: "वेबहुक URL",
  webhookHint: "खाते के लिए एक। नई जानकारी वहाँ POST की जाती है, और वर्शन 3 कॉलबैक की तरह आपके कॉलबैक सीक्रेट से हस्ताक्षरित होती है।",
  needsSecret: "पहले API एक्सेस में कॉलबैक सीक्रेट बनाएँ। वेबहुक उसी से हस्ताक्षरित होता है।",
  webhookSaved: "वेबहुक URL सहेजा गया।",
  webhookRemoved: "वेबहुक हटाया गया।",
  save: "सहेजें",
};
