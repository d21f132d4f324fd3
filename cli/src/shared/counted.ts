/** A number with its noun: "1 warning", "2 warnings", "1 entry", "2 entries". */
export function counted(count: number | bigint | string, noun: string, plural = `${noun}s`): string {
  return `${count} ${String(count) === "1" ? noun : plural}`;
}
