type InvitationParts = { readonly accountName: string; readonly invitedBy: string; readonly link: string };
type ResetParts = { readonly realm: string; readonly name: string; readonly link: string };

/** A subject and the paragraphs of a mail. */
type MailText = { readonly subject: string; readonly paragraphs: readonly string[] };

type MailTexts = {
  readonly invitation: (parts: InvitationParts) => MailText;
  readonly reset: (parts: ResetParts) => MailText;
};

const ENGLISH: MailTexts = {
  invitation: ({ accountName, invitedBy, link }) => ({
    subject: `Your invitation to the portal of ${accountName}`,
    paragraphs: [
      `${invitedBy} invites you to the portal of ${accountName}.`,
      "Open this link within seven days and choose a password. It works once.",
      link,
      "If you did not expect this, do nothing.",
    ],
  }),
  reset: ({ realm, name, link }) => ({
    subject: `A new password for the ${realm}`,
    paragraphs: [
      `Hello ${name},`,
      "somebody asked for a new password for this address. Open this link within the hour to choose one. It works once.",
      link,
      "If it was not you, do nothing: your password stays as it is.",
    ],
  }),
};

const HINDI: MailTexts = {
  invitation: ({ accountName, invitedBy, link }) => ({
    subject: `${accountName} के पोर्टल का न्योता`,
    paragraphs: [
      `${invitedBy} ने आपको ${accountName} के पोर्टल का न्योता भेजा है।`,
      "सात दिन के भीतर यह लिंक खोलें और पासवर्ड चुनें। लिंक एक बार काम करता है।",
      link,
      "अगर आपको इसकी उम्मीद नहीं थी, तो कुछ न करें।",
    ],
  }),
  reset: ({ name, link }) => ({
    subject: "पोर्टल का नया पासवर्ड",
    paragraphs: [
      `नमस्ते ${name},`,
      "किसी ने इस पते के लिए नया पासवर्ड माँगा है। एक घंटे के भीतर यह लिंक खोलकर पासवर्ड चुनें। लिंक एक बार काम करता है।",
      link,
      "अगर यह आपने नहीं माँगा, तो कुछ न करें: आपका पासवर्ड वही रहेगा।",
    ],
  }),
};

const LANGUAGES: ReadonlyMap<string | null, MailTexts> = new Map([["hi", HINDI]]);

/** The mails in the language that a member chose. A language without mails has them in English. */
export function mailTexts(language: string | null): MailTexts {
  return LANGUAGES.get(language) ?? ENGLISH;
}
