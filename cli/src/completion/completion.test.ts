import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { scratchFolder } from "../../testing/client.ts";
import { corprail } from "../../testing/processes.ts";
import { buildProgram } from "../program.ts";
import { commandTree } from "./tree.ts";

const run = promisify(execFile);
const SHELLS = ["bash", "zsh", "fish"];

async function scriptFile(shell: string): Promise<string> {
  const { code, stdout } = await corprail(["completion", shell]);
  expect(code).toBe(0);
  const file = join(scratchFolder(), `corprail.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

/** What bash would offer for the last of these words. */
async function inBash(file: string, words: readonly string[]): Promise<readonly string[]> {
  const line = words.map((word) => `'${word}'`).join(" ");
  const script = `source ${file}; COMP_WORDS=(corprail ${line}); COMP_CWORD=${words.length}; _corprail; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run("bash", ["--norc", "-c", script]);
  return stdout.split("\n").filter((word) => word !== "");
}

async function inFish(file: string, line: string): Promise<readonly string[]> {
  const { stdout } = await run("fish", ["--no-config", "-c", `source ${file}; complete -C ${JSON.stringify(line)}`]);
  return stdout.split("\n").flatMap((one) => (one === "" ? [] : [one.split("\t")[0] ?? ""]));
}

test.each(SHELLS)("the script for %s knows every command and every option of the program", async (shell) => {
  const { stdout } = await corprail(["completion", shell]);
  for (const { words, flags } of commandTree(buildProgram())) {
    for (const word of words) expect(stdout).toContain(word);
    for (const { name } of flags) expect(stdout).toContain(shell === "fish" ? `-l ${name.slice(2)}` : name);
  }
});

test("bash completes commands, commands below them, options and their values", async () => {
  const file = await scriptFile("bash");
  expect(await inBash(file, ["pro"])).toEqual(["provider", "profile"]);
  expect(await inBash(file, ["recharge", ""])).toEqual(["create", "get", "wait"]);
  expect(await inBash(file, ["recharge", "create", "--am"])).toEqual(["--amount"]);
  expect(await inBash(file, ["complaint", "raise", "--reason", "wrong_n"])).toEqual(["wrong_number"]);
  expect(await inBash(file, ["completion", ""])).toEqual(SHELLS);
  expect(await inBash(file, ["backup", ""])).toEqual([]);
});

test.runIf(existsSync("/usr/bin/fish"))("fish completes them too", async () => {
  const file = await scriptFile("fish");
  expect(await inFish(file, "corprail pro")).toEqual(expect.arrayContaining(["profile", "provider"]));
  expect((await inFish(file, "corprail recharge ")).toSorted()).toEqual(["create", "get", "wait"]);
  expect(await inFish(file, "corprail recharge create --am")).toEqual(["--amount"]);
  expect(await inFish(file, "corprail complaint raise --reason wrong_n")).toEqual(["wrong_number"]);
});

test.runIf(existsSync("/usr/bin/zsh"))("zsh takes the script", async () => {
  const file = await scriptFile("zsh");
  const { stdout } = await run("zsh", ["-f", "-c", `autoload -Uz compinit; compinit -D; source ${file}; print $_comps[corprail]`]);
  expect(stdout).toBe("_corprail\n");
});

/** The completions that zsh would offer; its own display functions are replaced. */
async function inZsh(file: string, words: readonly string[]): Promise<readonly string[]> {
  const last = words.at(-1) ?? "";
  const script = `compdef() { :; }; source ${file}
    _describe() { print -rl -- \${(P)2} }; compadd() { shift; print -rl -- "$@" }; _files() { print FILES }
    words=(corprail ${words.map((word) => `'${word}'`).join(" ")}); CURRENT=${words.length + 1}; PREFIX='${last}'; _corprail`;
  const { stdout } = await run("zsh", ["-f", "-c", script]);
  return stdout.split("\n").flatMap((line) => (line === "" ? [] : [line.split(":")[0] ?? ""]));
}

test.runIf(existsSync("/usr/bin/zsh"))("zsh is offered commands, options, their values, and files", async () => {
  const file = await scriptFile("zsh");
  expect(await inZsh(file, ["recharge", ""])).toEqual(["create", "get", "wait"]);
  expect(await inZsh(file, ["recharge", "create", "--"])).toEqual(expect.arrayContaining(["--amount", "--json", "--profile"]));
  expect(await inZsh(file, ["complaint", "raise", "--reason", ""])).toContain("wrong_number");
  expect(await inZsh(file, ["backup", ""])).toEqual(["FILES"]);
});

test("an unknown shell ends with 2 and names those that are known", async () => {
  expect(await corprail(["completion", "tcsh"])).toMatchObject({ code: 2, stderr: expect.stringContaining("bash, zsh, fish") });
});
