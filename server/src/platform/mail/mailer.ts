import { createTransport } from "nodemailer";

export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

export type Mailer = {
  /** False without CORPRAIL_SMTP_URL: nothing is ever sent. */
  readonly isSetUp: boolean;
  /** True if the mail server accepted the mail. Failures are logged, because no caller can act on them. */
  readonly send: (mail: Mail) => Promise<boolean>;
  readonly close: () => void;
};

export type MailerOptions = {
  /** CORPRAIL_SMTP_URL; null disables mail. */
  readonly smtpUrl: string | null;
  /** CORPRAIL_MAIL_FROM. */
  readonly from: string;
  readonly log: Record<"info" | "warn", (details: object, message: string) => void>;
};

const TIMEOUT_MILLISECONDS = 10_000;

/** Mails contain one-time links, so the log shows only the subject and a masked recipient. */
export function createMailer({ smtpUrl, from, log }: MailerOptions): Mailer {
  if (smtpUrl === null) return silentMailer(log);
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MILLISECONDS,
    greetingTimeout: TIMEOUT_MILLISECONDS,
    socketTimeout: TIMEOUT_MILLISECONDS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    isSetUp: true,
    send: async (mail) => {
      const details = { to: maskedEmail(mail.to), subject: mail.subject };
      try {
        // Passed as an object, so that a comma in the address cannot add a second recipient.
        await transport.sendMail({ from, to: { name: "", address: mail.to }, subject: mail.subject, text: mail.text });
        log.info(details, "mail sent");
        return true;
      } catch (error) {
        // The server's answer may repeat the recipient; its code says enough.
        log.warn({ ...details, code: codeOf(error) }, "mail not sent: the mail server refused it or could not be reached");
        return false;
      }
    },
    close: () => transport.close(),
  };
}

function silentMailer(log: MailerOptions["log"]): Mailer {
  return {
    isSetUp: false,
    send: async ({ to, subject }) => {
      log.warn({ to: maskedEmail(to), subject }, "mail not sent: no SMTP is configured");
      return false;
    },
    close: () => {},
  };
}

function codeOf(error: unknown): string {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown };
  return [code, responseCode].filter((part) => part !== undefined).join(" ") || "unknown";
}

/** Masks `asha@shop.example` as `a***@shop.example`. */
function maskedEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return at < 1 ? "***" : `${email.slice(0, 1)}***${email.slice(at)}`;
}
