import fc from "fast-check";
import { expect, test } from "vitest";
import { randomIds } from "../core/ids.ts";
import { createLog } from "./log.ts";
import { redact, shownPath } from "./redact.ts";

const ids = randomIds();
const prefix = fc.constantFrom("tok_live_", "tok_test_", "sig_", "cbk_", "opk_", "inv_", "rst_");

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog("info", { write: (line) => void lines.push(line) }));
  return lines.join("");
}

test("a secret is redacted wherever it occurs in a log line", () => {
  fc.assert(
    fc.property(prefix, fc.string(), fc.string(), (kind, before, after) => {
      const secret = ids.secret(kind);
      const bare = secret.slice(kind.length);
      const text = `${before}${secret}${after}`;
      const line = logged((log) => {
        log.info({ text, [text]: 1, err: new Error(text), deep: [{ text }] }, text);
      });
      expect(line).not.toContain(bare);
    }),
  );
});

test.each(["\n", "\\n", "_", "x", "%20", "0", "token", "é", `"`, "/"])("a secret right after %j is taken out", (before) => {
  const secret = ids.secret("tok_live_");
  expect(redact(before + secret)).toBe(`${before}tok_live_[redacted]`);
  expect(logged((log) => log.info({ err: new Error(before + secret) }, "x"))).not.toContain(secret.slice(9));
});

test("text without a secret is unchanged", () => {
  for (const text of ["A plain line.", "tok_live_", "significant_other", "design_review is on", "X-Api-Token"])
    expect(redact(text)).toBe(text);
});

test.each([
  ["/api/corp/v1/services?token=tok_live_abcdefgh", "/api/corp/v1/services"],
  ["/api/operator/v1/accounts/A1234567890A/signing-secret/revoke-old", "/api/operator/v1/accounts/A1234567890A/signing-secret/revoke-old"],
  [`/api/corp/v1/${"a".repeat(32)}/x`, "/api/corp/v1/[long]/x"],
  [`/api/corp/v1/${"a".repeat(31)}`, `/api/corp/v1/${"a".repeat(31)}`],
  ["http://example.com/a", "http://example.com/a"],
  ["*", "*"],
  ["", ""],
])("the target %s is shown as %s", (target, shown) => {
  expect(shownPath(target)).toBe(shown);
});

test("a logged path never shows a secret, however it is escaped", () => {
  fc.assert(
    fc.property(prefix, fc.constantFrom("/", "/x/", "/api/corp/v1/", "//"), fc.boolean(), (kind, before, escaped) => {
      const secret = ids.secret(kind);
      const written = escaped ? secret.replaceAll("_", "%5F").replaceAll("-", "%2D") : secret;
      const shown = redact(shownPath(`${before}${written}/rest?${secret}`));
      expect(shown).not.toContain(written.slice(kind.length + 8, kind.length + 30));
    }),
  );
});
