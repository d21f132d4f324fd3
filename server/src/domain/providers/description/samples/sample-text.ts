import type { SampleReading } from "./read-samples.ts";

/** How samples are read, as `corprail provider test` prints it. */
export function sampleText(readings: readonly SampleReading[]): string {
  if (readings.length === 0) return "The description has no samples.";
  const lines = readings.map(({ path, reading }) => {
    const more = reading.decline === null ? "" : ` (${reading.decline})`;
    return `  ${path}\n    ${reading.outcome}${more}, because ${reading.because}`;
  });
  return ["The samples are read as:", ...lines].join("\n");
}

/** The same for a program. */
export function sampleFields(readings: readonly SampleReading[]) {
  return readings.map(({ path, operation, name, reading }) => ({
    path,
    operation,
    name,
    outcome: reading.outcome,
    because: reading.because,
    decline: reading.decline,
    fields: reading.fields,
    value: reading.value,
  }));
}
