/** How many days records are kept that no rule keeps for ever. Orders, transfers and the audit log are not among them. */
export type Retention = {
  /** Requests to providers and their replies, and fetched bills that were paid. */
  readonly evidenceDays: number;
  /** Attempts to deliver callbacks. */
  readonly callbackLogDays: number;
  /** The log of client API requests. */
  readonly apiLogDays: number;
  /** What expired without being used, such as bills that nobody paid. */
  readonly unusedDays: number;
  /** Documents of clients whose account is closed. */
  readonly documentDays: number;
};

type Read = (name: string, fallback: number, wanted: string, parse: (text: string) => number | null) => number;

type ReadFolder = (name: string, fallback: null, wanted: string, parse: (text: string) => string) => string | null;

type Limits = { readonly least: number; readonly most: number; readonly why?: string };

// Directions of CERT-In of 28 April 2022, (iv): logs are kept for a rolling period of 180 days.
const LEGAL: Limits = { least: 180, most: 3_660, why: "CERT-In requires that logs are kept for 180 days" };
// One-time passwords, quotes and seats are read for some days after they expired.
const UNUSED: Limits = { least: 7, most: 3_660 };
// Prevention of Money Laundering Act, section 12(3) and (4): five years after the relationship ended.
const DOCUMENTS: Limits = { least: 1_826, most: 9_999, why: "the law requires that documents of clients are kept for five years" };
const API_LOG: Limits = { least: 1, most: 400 };

export function readRetention(read: Read): Retention {
  const days = (name: string, fallback: number, limits: Limits) => read(name, fallback, describe(limits), parser(limits));
  return {
    evidenceDays: days("CORPRAIL_EVIDENCE_DAYS", 400, LEGAL),
    callbackLogDays: days("CORPRAIL_CALLBACK_LOG_DAYS", 400, LEGAL),
    apiLogDays: days("CORPRAIL_API_LOG_DAYS", 7, API_LOG),
    unusedDays: days("CORPRAIL_UNUSED_DAYS", 30, UNUSED),
    documentDays: days("CORPRAIL_DOCUMENT_DAYS", 1_826, DOCUMENTS),
  };
}

/** Where old months are moved to, and how many whole months before the present one stay in the database. */
export type ArchiveSchedule = { readonly folder: string; readonly keepMonths: number };

const ARCHIVE: Limits = { least: 6, most: 120, why: "CERT-In requires that logs are kept for 180 days" };

/** Null: old months are archived by the command only. */
export function readArchiveSchedule(read: Read & ReadFolder, resolveFolder: (text: string) => string): ArchiveSchedule | null {
  const folder = read("CORPRAIL_ARCHIVE_FOLDER", null, "a folder", resolveFolder);
  const keepMonths = read("CORPRAIL_ARCHIVE_KEEP_MONTHS", 24, describe(ARCHIVE, "months"), parser(ARCHIVE));
  return folder === null ? null : { folder, keepMonths };
}

function describe({ least, most, why }: Limits, unit = "days"): string {
  return `${unit}, ${least} to ${most}${why === undefined ? "" : ` (${why})`}`;
}

function parser({ least, most }: Limits): (text: string) => number | null {
  return (text) => (/^[1-9][0-9]{0,3}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null);
}
