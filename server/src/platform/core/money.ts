/** An amount in ten-thousandths of a rupee. It is a bigint, never a floating-point number. */
export type Money = bigint & { readonly brand: "Money" };

const AMOUNT = /^(0|[1-9][0-9]{0,9})(?:\.([0-9]{1,4}))?$/;
const UNITS_PER_PAISA = 100n;

export const NO_MONEY = 0n as Money;

/** Reads an amount as clients send it (contract, section 1); null if it is not a valid amount. */
export function parseMoney(text: string): Money | null {
  const match = AMOUNT.exec(text);
  if (!match) return null;
  const [, whole = "0", fraction = ""] = match;
  return BigInt(whole + fraction.padEnd(4, "0")) as Money;
}

/** Reads an amount that was validated before; throws if it is not valid. */
export function requireMoney(text: string): Money {
  const amount = parseMoney(text);
  if (amount === null) throw new Error(`"${text}" is not an amount.`);
  return amount;
}

/** The amount of a number of ten-thousandths, as the database stores it. */
export function moneyOf(units: bigint): Money {
  return units as Money;
}

export function moneyOrNull(units: bigint | null): Money | null {
  return units as Money | null;
}

/** Formats an amount with exactly four decimal places. */
export function formatMoney(amount: bigint): string {
  const sign = amount < 0n ? "-" : "";
  const digits = (amount < 0n ? -amount : amount).toString().padStart(5, "0");
  return `${sign}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

export function add(...amounts: readonly Money[]): Money {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum as Money;
}

export function subtract(from: Money, amount: Money): Money {
  return (from - amount) as Money;
}

export function negate(amount: Money): Money {
  return -amount as Money;
}

export function smallerOf(one: Money, other: Money): Money {
  return one < other ? one : other;
}

/** The given basis points (hundredths of a percent) of an amount, rounded half up to one paisa. */
export function percentOf(amount: Money, basisPoints: bigint): Money {
  const divisor = 10_000n * UNITS_PER_PAISA;
  return (((amount * basisPoints + divisor / 2n) / divisor) * UNITS_PER_PAISA) as Money;
}
