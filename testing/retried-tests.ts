import type { Reporter, TestCase } from "vitest/node";

// On a starved machine a few tests run into their time limits. Many retried tests mean that something else is wrong.
const MOST_RETRIED = 20;

/** Names every test that passed at its second try only, with the error of the first, and fails the run when there are many of them. */
export class RetriedTests implements Reporter {
  readonly #retried: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const times = test.diagnostic()?.retryCount ?? 0;
    const { state, errors } = test.result();
    if (times === 0 || state !== "passed") return;
    const reasons = (errors ?? []).map(({ message }) => `\n    ${message.split("\n", 1)}`);
    this.#retried.push(`${test.module.relativeModuleId} > ${test.fullName}${reasons.join("")}`);
  }

  onTestRunEnd(): void {
    if (this.#retried.length === 0) return;
    const names = this.#retried.map((name) => `  ${name}\n`).join("");
    process.stderr.write(`\nTests that passed only when they were tried again: ${this.#retried.length}\n${names}`);
    if (this.#retried.length <= MOST_RETRIED) return;
    process.stderr.write(`More than ${MOST_RETRIED} tests were tried again: the run fails.\n`);
    process.exitCode = 1;
  }
}
