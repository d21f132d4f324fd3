import type { ReportedHookContext, Reporter, TestCase } from "vitest/node";

const FIRST_MINUTES = 2;

/** Names a test or hook that still runs after two minutes, after four, after eight, because the name is otherwise printed only at its end. */
export class LongTests implements Reporter {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  onTestCaseReady(test: TestCase): void {
    this.#watch(test.id, `${test.module.relativeModuleId} > ${test.fullName}`, FIRST_MINUTES);
  }

  onTestCaseResult(test: TestCase): void {
    this.#end(test.id);
  }

  onHookStart({ name, entity }: ReportedHookContext): void {
    const where = entity.type === "module" ? entity.relativeModuleId : `${entity.module.relativeModuleId} > ${entity.fullName}`;
    this.#watch(`${name} ${entity.id}`, `${where} (${name})`, FIRST_MINUTES);
  }

  onHookEnd({ name, entity }: ReportedHookContext): void {
    this.#end(`${name} ${entity.id}`);
  }

  onTestRunEnd(): void {
    for (const id of this.#timers.keys()) this.#end(id);
  }

  #watch(id: string, what: string, minutes: number, passed = 0): void {
    const timer = setTimeout(
      () => {
        process.stderr.write(`Still running after ${minutes} minutes: ${what}\n`);
        this.#watch(id, what, 2 * minutes, minutes);
      },
      (minutes - passed) * 60_000,
    );
    timer.unref();
    this.#timers.set(id, timer);
  }

  #end(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }
}
