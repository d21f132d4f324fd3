const MAX_CHARACTERS = 120;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** A name as it is kept, without spaces around it; null when it cannot be one. */
export function accountName(text: string): string | null {
  const name = text.trim();
  const length = [...name].length;
  return length >= 1 && length <= MAX_CHARACTERS && !CONTROL.test(name) ? name : null;
}
