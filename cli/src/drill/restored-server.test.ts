import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startRestored } from "./restored-server.ts";

let folder: string;
let base: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "corprail-base-"));
  // The server's user may be another one.
  chmodSync(folder, 0o777);
  base = join(folder, "base");
  for (const name of ["base", "base/pg_tblspc", "scratch", "bin"]) mkdirSync(join(folder, name));
  chmodSync(join(folder, "scratch"), 0o777);
  writeFileSync(join(base, "PG_VERSION"), "18\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const scratch = () => readdirSync(join(folder, "scratch"));
const start = (from = base) =>
  startRestored(
    { base: from, restoreCommand: "false", to: null, postgresBin: join(folder, "bin"), scratch: join(folder, "scratch") },
    "postgres://corprail:sh-password@127.0.0.1:1/corprail",
  );

test.each([
  ["an entry in pg_tblspc", () => symlinkSync(tmpdir(), join(base, "pg_tblspc", "16400")), /tablespaces outside/],
  ["a tablespace_map", () => writeFileSync(join(base, "tablespace_map"), "16400 /srv/fast\n"), /tablespaces outside/],
  ["a pg_wal that is a link", () => symlinkSync(tmpdir(), join(base, "pg_wal")), /pg_wal .* symbolic link/],
])("a base backup with %s is refused before anything is copied", async (_, prepare, words) => {
  prepare();
  await expect(start()).rejects.toThrow(words);
  expect(scratch()).toEqual([]);
});

// Refuses the password, and says at its end whether its data are still there.
const SERVER = `#!${process.execPath}
const { existsSync, writeFileSync } = require("node:fs");
const words = process.argv.slice(2);
const data = words[words.indexOf("-D") + 1];
const port = Number(words.find((word) => word.startsWith("port=")).slice(5));
const fields = Buffer.from("SFATAL\\0C28P01\\0Mwrong password\\0\\0");
const head = Buffer.from([69, 0, 0, 0, fields.length + 4]);
require("node:net").createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", () => socket.end(Buffer.concat([head, fields])));
}).listen(port, "127.0.0.1");
process.on("SIGINT", () => setTimeout(() => {
  writeFileSync("OUT", String(existsSync(data)));
  process.exit(0);
}, 200));
`;

test("after a failure the server has ended before its folder is removed, and a link to the backup is followed", async () => {
  const out = join(folder, "out");
  writeFileSync(join(folder, "bin", "postgres"), SERVER.replace('"OUT"', JSON.stringify(out)), { mode: 0o755 });
  symlinkSync(base, join(folder, "latest"));
  await expect(start(join(folder, "latest"))).rejects.toThrow("wrong password");
  expect(readFileSync(out, "utf8")).toBe("true");
  expect([scratch(), readdirSync(base).sort()]).toEqual([[], ["PG_VERSION", "pg_tblspc"]]);
});
