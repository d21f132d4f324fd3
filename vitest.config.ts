import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["server/src/**/*.test.ts", "cli/src/**/*.test.ts", "sdk/**/*.test.ts", "e2e/**/*.test.ts"],
    globalSetup: "./server/src/testing/global-setup.ts",
    setupFiles: "./e2e/harness/setup.ts",
    // Most of what the tests do is wait for processes of their own.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
