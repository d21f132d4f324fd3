const MAX_CHARACTERS = 120;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** A name without surrounding spaces; null when it is not valid. */
export function accountName(text: string): string | null {
  const name = text.trim();
  const length = [...name].length;
  return length >= 1 && length <= MAX_CHARACTERS && !CONTROL.test(name) ? name : null;
}
