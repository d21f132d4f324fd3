// Written from the definition of Verhoeff's check, sharing nothing with the service: a mistake made on both sides would hide.

function dihedral(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + (b - 5)) % 5);
  return b < 5 ? 5 + ((a - 5 - b + 5) % 5) : (a - b + 5) % 5;
}

const SIGMA = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
const turned = (digit: number, times: number): number => (times === 0 ? digit : turned(SIGMA[digit] ?? 0, times - 1));

/** Eleven digits and the one that makes them an Aadhaar number. */
export function withCheckDigit(eleven: string): string {
  for (let last = 0; last < 10; last++) {
    const places = [...`${eleven}${last}`].reverse().map(Number);
    if (places.reduce((check, digit, place) => dihedral(check, turned(digit, place % 8)), 0) === 0) return `${eleven}${last}`;
  }
  throw new Error("A check digit exists for every number.");
}
