import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { TEST_MILLISECONDS, WAIT_MILLISECONDS } from "./server/src/testing/deadline.ts";
import { LongTests } from "./testing/long-tests.ts";
import { LongestFirst } from "./testing/longest-first.ts";
import { RetriedTests } from "./testing/retried-tests.ts";

export default defineConfig({
  test: {
    alias: { "@node-rs/argon2": fileURLToPath(new URL("server/src/testing/quick-argon2.ts", import.meta.url)) },
    include: [
      "server/src/**/*.test.ts",
      "cli/src/**/*.test.ts",
      "sdk/**/*.test.ts",
      "connectors/kit/**/*.test.ts",
      "web/src/**/*.test.ts",
      "e2e/**/*.test.ts",
    ],
    globalSetup: ["./server/src/testing/global-setup.ts", "./testing/bundle-programs.ts"],
    setupFiles: "./e2e/harness/setup.ts",
    // Most of what the tests do is wait for processes of their own.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // The second run of CI reads what the first one compiled.
    experimental: { fsModuleCache: true },
    // Reading the modules anew for every file would take as long as the tests of most of them.
    isolate: false,
    // As every other dependency, which would not be the case for a workspace.
    server: { deps: { external: [/vendor\/postgres/] } },
    testTimeout: TEST_MILLISECONDS,
    hookTimeout: TEST_MILLISECONDS,
    // A shared machine stalls now and then: there a test may try twice, and is reported as such. Here it must pass at once.
    retry: process.env["CI"] ? 1 : 0,
    reporters: ["default", new RetriedTests(), new LongTests()],
    expect: { poll: { timeout: WAIT_MILLISECONDS } },
  },
});
