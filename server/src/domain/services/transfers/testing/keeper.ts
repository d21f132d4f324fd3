import { type QueryConnector, type QueryTable, queryConnector } from "../../testing/query-connector.ts";

/** The code that the keeper's messages contain: four digits, as at several real providers. */
export const THEIR_OTP = "4321";

/** A provider that keeps senders and beneficiaries and mints every one-time password itself. */
export function keeper(name: string, more: QueryTable = {}): QueryConnector {
  let made = 0;
  const verified = new Set<string>();
  const sent = () => ({ otp_ref: `${name}-${++made}`, length: 4 });
  const isRight = (otp: string) => otp === THEIR_OTP;
  return queryConnector(["transfers.send", "transfers.check_account"], {
    "transfers.banks": () => ({ banks: [{ bank: "HDFC", name: "HDFC Bank" }] }),
    "transfers.sender.register": ({ mobile }) => ({ status: verified.has(mobile) ? "VERIFIED" : "OTP_SENT", ...sent() }),
    "transfers.sender.resend_otp": sent,
    "transfers.sender.verify": ({ mobile, otp }) => {
      if (!isRight(otp)) return { refused: "otp_invalid" };
      verified.add(mobile);
      return { status: "VERIFIED" };
    },
    "transfers.beneficiary.add": () => ({ status: "OTP_SENT", beneficiary_ref: `${name}-ben`, ...sent() }),
    "transfers.beneficiary.verify": ({ otp }) => (isRight(otp) ? { beneficiary_ref: "" } : { refused: "otp_invalid" }),
    "transfers.beneficiary.delete": () => ({}),
    "transfers.send_otp": sent,
    ...more,
  });
}

type ListedBank = { readonly bank: string; readonly name: string; readonly status?: "up" | "down" };
const HDFC: ListedBank = { bank: "HDFC", name: "HDFC Bank" };

/**
 * A provider that keeps nobody and sends the one-time passwords that we mint; `codes` are those that it sent. With null it
 * lists no banks.
 */
export function messenger(banks: readonly ListedBank[] | null = [HDFC]): QueryConnector & { readonly codes: string[] } {
  const codes: string[] = [];
  const connector = queryConnector(["transfers.send", "transfers.check_account"], {
    ...(banks === null ? {} : { "transfers.banks": () => ({ banks: [...banks] }) }),
    "otp.send": ({ code }) => {
      codes.push(code);
      return {};
    },
  });
  return Object.assign(connector, { codes });
}
