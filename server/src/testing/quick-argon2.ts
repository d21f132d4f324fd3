import { createRequire } from "node:module";

type Argon2 = typeof import("@node-rs/argon2");
const { hash: hashAtCost, verify, parseOptions }: Argon2 = createRequire(import.meta.url)("@node-rs/argon2");

const QUICK = { memoryCost: 1024, timeCost: 1 };

/**
 * Takes the place of @node-rs/argon2 in tests, where passwords protect nothing: a hash costs 3 ms of CPU instead of 85.
 * Tests about the cost itself set TEST_FULL_PASSWORD_COST. Verifying takes its parameters from the hash.
 */
export const hash: Argon2["hash"] = (password, options, signal) =>
  hashAtCost(password, process.env["TEST_FULL_PASSWORD_COST"] === undefined ? { ...options, ...QUICK } : options, signal);
export { parseOptions, verify };
