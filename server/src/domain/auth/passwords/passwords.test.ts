import { parseOptions } from "@node-rs/argon2";
import { afterAll, expect, test, vi } from "vitest";
import { hashPassword, passwordFault, passwordMatches } from "./passwords.ts";

// Other tests hash at a lower cost (server/src/testing/quick-argon2.ts).
vi.stubEnv("TEST_FULL_PASSWORD_COST", "1");
afterAll(() => {
  vi.unstubAllEnvs();
});

const EMAIL = "asha.rao@shop.example";
const GOOD = "correct horse battery";

test("a password is kept as argon2id with at least what OWASP asks for, and a salt of its own", async () => {
  const [one, two] = [await hashPassword(GOOD), await hashPassword(GOOD)];
  expect(one).toMatch(/^\$argon2id\$v=19\$/);
  const { memoryCost, timeCost, saltLen, outputLen } = parseOptions(one);
  expect(memoryCost).toBeGreaterThanOrEqual(19_456);
  expect(timeCost).toBeGreaterThanOrEqual(2);
  expect(saltLen).toBeGreaterThanOrEqual(16);
  expect(outputLen).toBeGreaterThanOrEqual(32);
  expect(one).not.toBe(two);
});

test("a password matches its own hash, however the same letters are encoded, and nothing else", async () => {
  const hash = await hashPassword("caf\u00e9 correct horse");
  expect(await passwordMatches(hash, "cafe\u0301 correct horse")).toBe(true);
  expect(await passwordMatches(hash, "cafe correct horse")).toBe(false);
  expect(await passwordMatches(null, GOOD)).toBe(false);
});

test("many at once are all checked, in turn", async () => {
  const hash = await hashPassword(GOOD);
  const answers = await Promise.all([GOOD, "x", GOOD, "y", GOOD, "z"].map((password) => passwordMatches(hash, password)));
  expect(answers).toEqual([true, false, true, false, true, false]);
});

test.each([GOOD, "aaaaaaaaaabcdef", "ąćęłńóśźż zażółć", "😀😁😂😃😄😅😆😇😈😉😊😋", "x7yz".repeat(50)])("%s is taken", (password) =>
  expect(passwordFault(password, EMAIL)).toBeNull(),
);

test.each([
  ["eleven chars".slice(0, 11), "at least 12"],
  [`${"ab".repeat(100)}c`, "at most 200"],
  [EMAIL, "email"],
  [EMAIL.toUpperCase(), "email"],
  ["password1234", "guess"],
  ["PasswordPassword", "guess"],
  ["123456789012", "guess"],
  ["qwerty123456", "guess"],
  ["Corprail@2026", "guess"],
  ["aaaaaaaaaaaaaa", "guess"],
  ["!!!!!!!!!!!!1", "guess"],
])("%s is refused", (password, why) => expect(passwordFault(password, EMAIL)).toContain(why));

test("a mailbox's name alone is refused as the address is", () => {
  expect(passwordFault("asha.rao.of.the.shop", "asha.rao.of.the.shop@shop.example")).toContain("email");
});
