import type { Bank, TransfersProviderService } from "../provider-service.ts";

// One bank is always unreachable, so that clients can test that case.
const DOWN = "LAVB";

const NAMES: Readonly<Record<string, string>> = {
  SBIN: "State Bank of India",
  HDFC: "HDFC Bank",
  ICIC: "ICICI Bank",
  UTIB: "Axis Bank",
  PUNB: "Punjab National Bank",
  BARB: "Bank of Baroda",
  CNRB: "Canara Bank",
  UBIN: "Union Bank of India",
  KKBK: "Kotak Mahindra Bank",
  YESB: "Yes Bank",
  IDIB: "Indian Bank",
  IOBA: "Indian Overseas Bank",
  INDB: "IndusInd Bank",
  FDRL: "Federal Bank",
  BKID: "Bank of India",
  CBIN: "Central Bank of India",
  UCBA: "UCO Bank",
  MAHB: "Bank of Maharashtra",
  PSIB: "Punjab and Sind Bank",
  IDFB: "IDFC First Bank",
  IBKL: "IDBI Bank",
  RATN: "RBL Bank",
  SIBL: "South Indian Bank",
  KARB: "Karnataka Bank",
  KVBL: "Karur Vysya Bank",
  TMBL: "Tamilnad Mercantile Bank",
  CIUB: "City Union Bank",
  DCBL: "DCB Bank",
  JAKA: "Jammu and Kashmir Bank",
  BDBL: "Bandhan Bank",
  AUBL: "AU Small Finance Bank",
  ESFB: "Equitas Small Finance Bank",
  UJVN: "Ujjivan Small Finance Bank",
  DBSS: "DBS Bank India",
  SCBL: "Standard Chartered Bank",
  HSBC: "HSBC",
  CITI: "Citibank",
  AIRP: "Airtel Payments Bank",
  IPOS: "India Post Payments Bank",
  PYTM: "Paytm Payments Bank",
  [DOWN]: "Lakshmi Vilas Bank",
};

export const SIMULATOR_BANKS: readonly Bank[] = Object.entries(NAMES).map(([bank, name]) => ({
  bank,
  name,
  status: bank === DOWN ? "down" : "up",
}));

// A complete number, because endings determine the results of transfers.
const BLOCKED_MOBILE = "9000000403";

/** The simulator's transfer queries. Nothing is sent, and every answer follows from the request. */
export function simulatedTransfers(): TransfersProviderService {
  return {
    fixedCode: "111000",
    sendOtp: async () => {},
    banks: async () => SIMULATOR_BANKS,
    checkSender: async ({ mobile }) => (mobile === BLOCKED_MOBILE ? "BLOCKED" : "VERIFIED"),
  };
}
