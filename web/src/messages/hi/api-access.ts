import type { Translation } from "../catalogue.ts";
import type { apiAccessText } from "../en/api-access.ts";

export const apiAccess: Translation<typeof apiAccessText> = {
  apiAccess: "API ऐक्सेस",
  theURLsWhereYourServers: "वे URL जिन पर आपके सर्वर लेन-देन और शिकायतों के कॉलबैक पाते हैं।",
  version: "वर्शन {version}",
  switchToVersion3: "वर्शन 3 पर जाएँ",
  theCallbackURLsWereSaved: "कॉलबैक URL सेव हो गए।",
  callbackURLs: "कॉलबैक URL",
  publicHttpsAddressesAfterA: "सार्वजनिक https पते। बदलाव के बाद, प्रतीक्षा कर रहे कॉलबैक तुरंत नए URL पर भेजे जाते हैं।",
  callbackUrl: "कॉलबैक URL",
  receivesFinalStatesOfTransactions: "लेन-देन की अंतिम स्थिति पाता है। URL के बिना स्थिति के कॉलबैक नहीं बनते।",
  complaintCallbackUrl: "शिकायत कॉलबैक URL",
  receivesOutcomesOfComplaintsOptional: "शिकायतों के नतीजे पाता है। वैकल्पिक।",
  save: "सेव करें",
  testComplaintCallback: "शिकायत का टेस्ट कॉलबैक",
  sendsOneCallbackWithTest: "एक कॉलबैक भेजता है, जिसके हस्ताक्षरित संदेश में test=1 और TEST- संदर्भ होते हैं। कोई पैसा रिफ़ंड नहीं होता।",
  sendTestComplaintCallback: "शिकायत का टेस्ट कॉलबैक भेजें",
  setAComplaintCallbackUrl: "पहले शिकायत कॉलबैक URL सेट करें। टेस्ट भेजने के बाद आपके रिसीवर का जवाब यहाँ दिखेगा।",
  sendATestToSee: "अपने रिसीवर का जवाब यहाँ देखने के लिए टेस्ट भेजें।",
  noResponse: "कोई जवाब नहीं",
  none: "कोई नहीं",
  requestSent: "भेजी गई रिक्वेस्ट",
  result: "नतीजा",
  httpStatus: "HTTP स्थिति",
  error: "त्रुटि",
  callbackVersion: "कॉलबैक वर्शन",
};
