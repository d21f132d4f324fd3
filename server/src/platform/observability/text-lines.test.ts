import { expect, test } from "vitest";
import { createLog, writeInfo } from "./log.ts";
import { isText, textLines } from "./text-lines.ts";

function written(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog("info", textLines({ write: (line) => void lines.push(line) }, false)));
  return lines.join("");
}

test("a line shows the time, the level, the message and the fields, and is not JSON", () => {
  const line = written((log) => log.info({ address: "http://127.0.0.1:8080", why: "two words" }, "listening"));
  expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}listening address=http:\/\/127\.0\.0\.1:8080 why="two words"\n$/);
});

test("a request reads as in an access log", () => {
  const line = written((log) =>
    writeInfo(
      log,
      '"request":"R1","method":"POST","path":"/api/corp/v1/recharge","status":200,"milliseconds":3.2,"stages":{"read":1}',
      "request",
    ),
  );
  expect(line).toMatch(/ INFO {2}POST \/api\/corp\/v1\/recharge 200 3\.2 ms request=R1\n$/);
});

test("an error's stack is indented below its line", () => {
  const text = written((log) => log.error({ err: new Error("no room") }, "it failed"));
  expect(text).toMatch(/ ERROR it failed\n {4}Error: no room\n {4} {4}at /);
});

test("no line shows a secret, wherever it occurs", () => {
  const secret = `sig_${"s".repeat(43)}`;
  const text = written((log) => log.error({ err: new Error(secret), field: secret, deep: { list: [secret] } }, `with ${secret}`));
  expect(text).not.toContain("ssss");
  expect(text.match(/sig_\[redacted\]/g)?.length).toBeGreaterThanOrEqual(4);
});

test("text from a client can neither add a log line nor control the terminal", () => {
  const sent = "a\nINFO paid\u001b[2J\u009b2J\r";
  const text = written((log) => log.warn({ path: sent, err: { stack: `Error: ${sent}` } }, sent));
  // Line breaks of an error belong to its stack; all those lines are indented.
  expect(
    text
      .trimEnd()
      .split("\n")
      .slice(1)
      .every((line) => line.startsWith("    ")),
  ).toBe(true);
  expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
});

test("lines are text on a terminal and JSON elsewhere, unless the format is set", () => {
  expect([isText("auto", { isTTY: true }), isText("auto", {}), isText("json", { isTTY: true }), isText("text", {})]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});
