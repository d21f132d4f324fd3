// Rules of PAN and GSTIN, the tax numbers of Indian companies.

/** Who can hold a PAN, by its fourth letter. */
const PAN_HOLDERS = {
  A: "an association of persons",
  B: "a body of individuals",
  C: "a company",
  F: "a firm or limited liability partnership",
  G: "a government body",
  H: "a Hindu undivided family",
  J: "an artificial juridical person",
  L: "a local authority",
  P: "an individual",
  T: "a trust",
} as const;
type PanHolder = keyof typeof PAN_HOLDERS;

/** The legal forms of clients and the fourth letter of their PAN. */
export const ENTITY_TYPES = {
  company: "C",
  partnership: "F",
  proprietorship: "P",
  hindu_family: "H",
  trust: "T",
  association: "A",
  body_of_individuals: "B",
  local_authority: "L",
  government: "G",
  juridical_person: "J",
} as const satisfies Record<string, PanHolder>;
export type EntityType = keyof typeof ENTITY_TYPES;

const PAN = /^[A-Z]{5}[0-9]{4}[A-Z]$/;

/** Why a PAN cannot belong to such a client; null if it can. */
export function panFault(pan: string, entity: EntityType): string | null {
  if (!PAN.test(pan)) return "Must have five letters, four digits and a letter, such as AAPFU0939F.";
  const holder = pan.charAt(3);
  if (!isHolder(holder))
    return `The fourth letter of a PAN says who holds it, and ${holder} is none of ${Object.keys(PAN_HOLDERS).join(", ")}.`;
  if (holder === ENTITY_TYPES[entity]) return null;
  return `This PAN belongs to ${PAN_HOLDERS[holder]}, but the client is ${PAN_HOLDERS[ENTITY_TYPES[entity]]}.`;
}

function isHolder(letter: string): letter is PanHolder {
  return letter in PAN_HOLDERS;
}

/** States and union territories by the first two digits of a GSTIN. 25 and 28 were replaced, but are still in use. */
export const GST_STATES: Readonly<Record<string, string>> = {
  "01": "Jammu and Kashmir",
  "02": "Himachal Pradesh",
  "03": "Punjab",
  "04": "Chandigarh",
  "05": "Uttarakhand",
  "06": "Haryana",
  "07": "Delhi",
  "08": "Rajasthan",
  "09": "Uttar Pradesh",
  "10": "Bihar",
  "11": "Sikkim",
  "12": "Arunachal Pradesh",
  "13": "Nagaland",
  "14": "Manipur",
  "15": "Mizoram",
  "16": "Tripura",
  "17": "Meghalaya",
  "18": "Assam",
  "19": "West Bengal",
  "20": "Jharkhand",
  "21": "Odisha",
  "22": "Chhattisgarh",
  "23": "Madhya Pradesh",
  "24": "Gujarat",
  "25": "Daman and Diu",
  "26": "Dadra and Nagar Haveli and Daman and Diu",
  "27": "Maharashtra",
  "28": "Andhra Pradesh (before division)",
  "29": "Karnataka",
  "30": "Goa",
  "31": "Lakshadweep",
  "32": "Kerala",
  "33": "Tamil Nadu",
  "34": "Puducherry",
  "35": "Andaman and Nicobar Islands",
  "36": "Telangana",
  "37": "Andhra Pradesh",
  "38": "Ladakh",
  "97": "Other territory",
};

// State, PAN, number of the registration in the state, Z for a regular taxpayer, check digit.
const GSTIN = /^([0-9]{2})([A-Z]{5}[0-9]{4}[A-Z])[1-9A-Z]Z[0-9A-Z]$/;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const BASE = DIGITS.length;

/** The last character of a GSTIN, from the fourteen before it: Luhn's algorithm with 36 digits. */
export function gstinCheckDigit(first: string): string {
  const sum = [...first].reduce((total, character, place) => {
    const product = DIGITS.indexOf(character) * (place % 2 === 0 ? 1 : 2);
    return total + Math.floor(product / BASE) + (product % BASE);
  }, 0);
  return DIGITS.charAt((BASE - (sum % BASE)) % BASE);
}

/** Why a GSTIN cannot belong to the holder of the PAN; null if it can. */
export function gstinFault(gstin: string, pan: string): string | null {
  const [, state, ofPan] = GSTIN.exec(gstin) ?? [];
  if (state === undefined || ofPan === undefined)
    return "Must have 15 characters: two digits, the PAN, one character, Z and a check digit, such as 27AAPFU0939F1ZV.";
  if (GST_STATES[state] === undefined) return `${state} is not the number of a state.`;
  if (gstinCheckDigit(gstin.slice(0, -1)) !== gstin.slice(-1))
    return "The check digit is wrong. Compare every character with the certificate.";
  return ofPan === pan ? null : `This GSTIN was issued for the PAN ${ofPan}, not for ${pan}.`;
}
