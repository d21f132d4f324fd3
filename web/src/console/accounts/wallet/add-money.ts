const AMOUNT = /^(-?)(\d+)(?:\.(\d{1,4}))?$/;
const UNITS = 10_000n;

/** The exact balance after a top-up or debit; null while the amount is not valid. */
export function addMoney(balance: string, amount: string, takeAway: boolean): string | null {
  const [before, moved] = [unitsOf(balance), unitsOf(amount)];
  if (before === null || moved === null) return null;
  const after = takeAway ? before - moved : before + moved;
  const size = after < 0n ? -after : after;
  return `${after < 0n ? "-" : ""}${size / UNITS}.${(size % UNITS).toString().padStart(4, "0")}`;
}

function unitsOf(text: string): bigint | null {
  const [, sign, whole, fraction = ""] = AMOUNT.exec(text) ?? [];
  if (whole === undefined) return null;
  const units = BigInt(whole) * UNITS + BigInt(fraction.padEnd(4, "0"));
  return sign === "-" ? -units : units;
}
