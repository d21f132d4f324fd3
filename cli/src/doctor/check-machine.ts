import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import type { CommandContext } from "../shared/run-command.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const OLDEST_NODE = [20, 19] as const;
const MEBIBYTE = 1024 * 1024;
const LITTLE_MEBIBYTES = 1024;
const TOO_LITTLE_MEBIBYTES = 200;

export function checkMachine({ config }: CommandContext): readonly Finding[] {
  return [
    checkNode(process.versions.node),
    ...checkFolder(config.dataFolder, config.databaseUrl === null),
    ...checkClockSetting(config.clockOffsetSeconds),
  ];
}

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const recent = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  return recent ? ok("Node", version) : fail("Node", version, "Corprail needs Node 20.19 or later.");
}

function checkFolder(folder: string, needed: boolean): readonly Finding[] {
  if (!existsSync(folder)) {
    const advice = "Set CORPRAIL_DATA_DIR as the service has it; the service's first start makes the folder.";
    return needed ? [fail("data folder", `${folder} is not there`, advice)] : [ok("data folder", `${folder} is not there; not needed`)];
  }
  return [checkRights(folder), checkSpace(folder)];
}

function checkRights(folder: string): Finding {
  const mode = statSync(folder).mode & 0o777;
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return fail("data folder", `${folder} may not be written by this user`, "Run this as the service's user.");
  }
  if ((mode & 0o007) === 0) return ok("data folder", `${folder}, mode ${mode.toString(8)}`);
  return warn("data folder", `${folder} is open to everybody, mode ${mode.toString(8)}`, `Run: chmod o= ${folder}`);
}

function checkSpace(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.floor((bavail * bsize) / MEBIBYTE);
  const found = `${free} MiB free`;
  if (free < TOO_LITTLE_MEBIBYTES) return fail("disk", found, "PostgreSQL stops when the disk is full: free some space now.");
  return free < LITTLE_MEBIBYTES ? warn("disk", found, "Free some space, or give the data folder a larger disk.") : ok("disk", found);
}

function checkClockSetting(offset: number): readonly Finding[] {
  if (offset === 0) return [];
  return [warn("clock", `shifted by ${offset} seconds`, "CORPRAIL_CLOCK_OFFSET_SECONDS is for trials: unset it.")];
}
