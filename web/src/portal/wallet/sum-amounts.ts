const DECIMALS = 4;

/** The exact sum of exact amounts ("-10.5000"), without floating point. */
export function sumAmounts(amounts: readonly string[]): string {
  const sum = amounts.reduce((total, amount) => total + unitsOf(amount), 0n);
  const digits = String(sum < 0n ? -sum : sum).padStart(DECIMALS + 1, "0");
  return `${sum < 0n ? "-" : ""}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}

function unitsOf(amount: string): bigint {
  const [whole = "0", fraction = ""] = amount.split(".");
  return BigInt(`${whole}${fraction.padEnd(DECIMALS, "0")}`);
}
