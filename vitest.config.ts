import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["server/src/**/*.test.ts", "cli/src/**/*.test.ts", "e2e/**/*.test.ts"],
    globalSetup: "./server/src/testing/global-setup.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
