import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until, within } from "./harness/deadline.ts";
import { processesIn } from "./harness/servers/processes.ts";
import { launch, startService, temporaryFolder } from "./harness/service.ts";

describe("SIGTERM while it starts", () => {
  test.each([
    ["as soon as its folder is there", (folder: string) => existsSync(folder)],
    ["while PostgreSQL comes up", (folder: string) => existsSync(join(folder, "postgres", "postmaster.pid"))],
    ["when the database is ready", (folder: string) => existsSync(join(folder, "database-url"))],
  ])("%s: it ends in time, leaves nothing running, and the next start works", async (_when, isTime) => {
    const folder = await temporaryFolder();
    const dataFolder = join(folder, "data");
    const first = launch({ CORPRAIL_DATA_DIR: dataFolder, CORPRAIL_PORT: "0" });
    await until("it is time", () => isTime(dataFolder));
    first.signal("SIGTERM");
    expect(await within("it ends", first.exited)).toEqual({ code: 0, signal: null });
    expect(existsSync(join(dataFolder, "holder.json"))).toBe(false);
    await until("nothing is left running", () => processesIn(dataFolder).length === 0);
    const next = await startService({ CORPRAIL_DATA_DIR: dataFolder });
    expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
    expect((await next.stop()).code).toBe(0);
    expect(processesIn(dataFolder)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
