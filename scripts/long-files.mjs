// Writes testing/long-files.json from a run's report: npx vitest run --reporter=json --outputFile=report.json
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const LONG_SECONDS = 15;
const ROOT = fileURLToPath(new URL("..", import.meta.url));

const { testResults } = JSON.parse(readFileSync(process.argv[2] ?? "report.json", "utf8"));
const files = testResults.map(({ name, startTime, endTime }) => ({ name: relative(ROOT, name), seconds: (endTime - startTime) / 1000 }));
const long = files.filter(({ seconds }) => seconds >= LONG_SECONDS).toSorted((one, other) => other.seconds - one.seconds);
writeFileSync(
  new URL("../testing/long-files.json", import.meta.url),
  `${JSON.stringify(
    long.map(({ name }) => name),
    null,
    2,
  )}\n`,
);
