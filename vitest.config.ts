import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./testing/longest-first.ts";
import { RetriedTests } from "./testing/retried-tests.ts";

// Little less than a test may take: a busy machine fails no test, and what hangs is still named.
const WAIT_MILLISECONDS = 570_000;

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
    // Reading the modules anew for every file would take as long as the tests of most of them.
    isolate: false,
    // As every other dependency, which would not be the case for a workspace.
    server: { deps: { external: [/vendor\/postgres/] } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // A shared machine stalls now and then: there a test may try twice, and is reported as such. Here it must pass at once.
    retry: process.env["CI"] ? 1 : 0,
    reporters: ["default", new RetriedTests()],
    expect: { poll: { timeout: WAIT_MILLISECONDS } },
  },
});
