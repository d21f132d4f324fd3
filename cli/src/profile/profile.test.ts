import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { CALLBACK_SECRET, SIGNING_SECRET, scratchFolder, standIn, TOKEN } from "../../testing/client.ts";
import { BIN, corprail, corprailReading } from "../../testing/processes.ts";

const ADDRESS = "https://api.example.in";
const fileIn = (home: string) => join(home, "corprail", "profiles.json");

async function addFromStdin(home: string, name: string, lines: string, more: readonly string[] = []) {
  return await corprailReading(lines, ["profile", "add", name, "--stdin", ...more], { XDG_CONFIG_HOME: home });
}

test("a profile's secrets come from standard input into a file that only its owner can read", async () => {
  const home = scratchFolder();
  const lines = `base_url=${ADDRESS}\ntoken=${TOKEN}\nsigning_secret=${SIGNING_SECRET}\ncallback_secret=${CALLBACK_SECRET}\n`;
  const added = await addFromStdin(home, "acme", lines);
  expect(added).toMatchObject({ code: 0, stderr: "" });
  expect(statSync(fileIn(home)).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, "corprail")).mode & 0o777).toBe(0o700);
  expect(JSON.parse(readFileSync(fileIn(home), "utf8"))).toEqual({
    current: "acme",
    profiles: { acme: { base_url: ADDRESS, token: TOKEN, signing_secret: SIGNING_SECRET, callback_secret: CALLBACK_SECRET } },
  });
  const listed = await corprail(["profile", "list", "--json"], { XDG_CONFIG_HOME: home });
  expect(JSON.parse(listed.stdout).profiles).toEqual([
    { profile: "acme", base_url: ADDRESS, secrets: ["token", "signing_secret", "callback_secret"], current: true },
  ]);
  const shown = added.stdout + listed.stdout + (await corprail(["profile", "list"], { XDG_CONFIG_HOME: home })).stdout;
  for (const secret of [TOKEN, SIGNING_SECRET, CALLBACK_SECRET]) expect(shown).not.toContain(secret);
});

test("a profile's secrets come from the environment", async () => {
  const home = scratchFolder();
  const variables = { XDG_CONFIG_HOME: home, CORPRAIL_BASE_URL: ADDRESS, CORPRAIL_TOKEN: TOKEN };
  expect(await corprail(["profile", "add", "acme", "--no-input"], variables)).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(fileIn(home), "utf8")).profiles.acme).toEqual({ base_url: ADDRESS, token: TOKEN });
});

test("without a terminal or with --no-input nothing is asked: what is missing is named, and nothing is written", async () => {
  const home = scratchFolder();
  const ended = await corprail(["profile", "add", "acme", "--no-input"], { XDG_CONFIG_HOME: home });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/CORPRAIL_BASE_URL.*CORPRAIL_TOKEN/) });
  expect(existsSync(fileIn(home))).toBe(false);
});

test.each([
  ["an address with another scheme", `base_url=http://api.example.in\ntoken=${TOKEN}\n`],
  ["a signing secret that is none", `base_url=${ADDRESS}\ntoken=${TOKEN}\nsigning_secret=${TOKEN}\n`],
  ["a callback secret that is none", `base_url=${ADDRESS}\ntoken=${TOKEN}\ncallback_secret=${TOKEN}\n`],
  ["a line that is not name=value", `base_url=${ADDRESS}\n${TOKEN}\n`],
])("%s is refused with 2 and repeated nowhere", async (_what, lines) => {
  const home = scratchFolder();
  const { code, stdout, stderr } = await addFromStdin(home, "acme", lines);
  expect(code).toBe(2);
  expect(stdout + stderr).not.toContain(TOKEN);
  expect(existsSync(fileIn(home))).toBe(false);
});

test("a file that others can read is refused, by name and with the remedy", async () => {
  const home = scratchFolder();
  await addFromStdin(home, "acme", `base_url=${ADDRESS}\ntoken=${TOKEN}\n`);
  chmodSync(fileIn(home), 0o640);
  const ended = await corprail(["balance"], { XDG_CONFIG_HOME: home });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(`chmod 600 ${fileIn(home)}`) });
});

test("a name that is taken is refused unless it is to be replaced, and the current one changes only on request", async () => {
  const home = scratchFolder();
  const lines = `base_url=${ADDRESS}\ntoken=${TOKEN}\n`;
  await addFromStdin(home, "one", lines);
  await addFromStdin(home, "two", lines);
  expect(await addFromStdin(home, "two", lines)).toMatchObject({ code: 2, stderr: expect.stringContaining("already") });
  expect(await addFromStdin(home, "two", `base_url=https://other.example\ntoken=${TOKEN}\n`, ["--replace"])).toMatchObject({ code: 0 });
  const current = () => JSON.parse(readFileSync(fileIn(home), "utf8")).current;
  expect(current()).toBe("one");
  expect(await corprail(["profile", "use", "two"], { XDG_CONFIG_HOME: home })).toMatchObject({ code: 0 });
  expect(current()).toBe("two");
  expect(await corprail(["profile", "use", "three"], { XDG_CONFIG_HOME: home })).toMatchObject({ code: 1 });
  expect(await corprail(["profile", "remove", "two"], { XDG_CONFIG_HOME: home })).toMatchObject({ code: 0 });
  expect(current()).toBeNull();
  expect(await corprail(["balance"], { XDG_CONFIG_HOME: home })).toMatchObject({ code: 2, stderr: expect.stringContaining("profile use") });
});

test("a profile that is named wins over the environment, and the two are never mixed", async () => {
  const reply = JSON.stringify({
    ok: true,
    status: "SUCCESS",
    code: 0,
    balance: "5.0000",
    held: "0.0000",
    currency: "INR",
    wallet: "active",
    as_of: 1,
  });
  const [kept, other] = [await standIn(() => ({ status: 200, body: reply })), await standIn(() => ({ status: 200, body: reply }))];
  const home = scratchFolder();
  await addFromStdin(home, "acme", `base_url=${kept.base}\ntoken=${TOKEN}\n`);
  const otherToken = `tok_live_${"o".repeat(43)}`;
  const variables = { XDG_CONFIG_HOME: home, CORPRAIL_BASE_URL: other.base, CORPRAIL_TOKEN: otherToken };
  expect(await corprail(["balance"], variables)).toMatchObject({ code: 0 });
  expect(await corprail(["balance", "--profile", "acme"], variables)).toMatchObject({ code: 0 });
  expect(await corprail(["balance"], { ...variables, CORPRAIL_PROFILE: "acme" })).toMatchObject({ code: 0 });
  expect(other.arrived.map(({ headers }) => headers["x-api-token"])).toEqual([otherToken]);
  expect(kept.arrived.map(({ headers }) => headers["x-api-token"])).toEqual([TOKEN, TOKEN]);
  const half = await corprail(["balance"], { XDG_CONFIG_HOME: home, CORPRAIL_TOKEN: otherToken });
  expect(half).toMatchObject({ code: 2, stderr: expect.stringContaining("CORPRAIL_BASE_URL") });
});

test.runIf(existsSync("/usr/bin/script"))("at a terminal the secrets are asked for and not echoed", async () => {
  const home = scratchFolder();
  const command = `'${process.execPath}' '${BIN}' profile add acme`;
  const env = { PATH: process.env["PATH"], XDG_CONFIG_HOME: home };
  const child = spawn("/usr/bin/script", ["-qec", command, "/dev/null"], { env, stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const answers: readonly (readonly [RegExp, string])[] = [
    [/Address of the service/, ADDRESS],
    [/API token/, TOKEN],
    [/Signing secret/, SIGNING_SECRET],
    [/Callback secret/, ""],
  ];
  let screen = "";
  let answered = 0;
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    screen += part;
    const [question, answer] = answers[answered] ?? [];
    if (question === undefined || !question.test(screen)) return;
    answered += 1;
    child.stdin.write(`${answer}\r`);
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect({ code, screen: stripVTControlCharacters(screen) }).toMatchObject({ code: 0, screen: expect.stringContaining("is saved in") });
  expect(screen).not.toContain(TOKEN);
  expect(screen).not.toContain(SIGNING_SECRET);
  const kept = JSON.parse(readFileSync(fileIn(home), "utf8")).profiles.acme;
  expect(kept).toEqual({ base_url: ADDRESS, token: TOKEN, signing_secret: SIGNING_SECRET });
});
