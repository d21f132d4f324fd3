import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { giveTo, parsePasswd, pickUser } from "./server-user.ts";
import { temporaryFolder } from "./testing/helpers.ts";

const users = parsePasswd(
  "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\npostgres:x:101:104::/:/bin/sh\nasha:x:1000:1000::/home/asha:/bin/sh\n\nbroken\n",
);

test.each([
  { why: "the data folder's owner comes first", owners: [1000, 101], name: "asha" },
  { why: "the cluster's owner comes second", owners: [0, 65534], name: "nobody" },
  { why: "then postgres", owners: [0, 0], name: "postgres" },
  { why: "an owner without a name is skipped", owners: [4242, 0], name: "postgres" },
])("$why", ({ owners, name }) => {
  expect(pickUser(users, owners)?.name).toBe(name);
});

test("without a user postgres it is the user nobody, without both there is none, and it is never root", () => {
  const without = (...names: string[]) => users.filter((user) => !names.includes(user.name));
  expect(pickUser(without("postgres"), [0])?.name).toBe("nobody");
  expect(pickUser(without("postgres", "nobody"), [0])).toBeNull();
});

test("a file with a hard link elsewhere does not change its owner", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "cluster"));
  writeFileSync(join(folder, "precious"), "");
  linkSync(join(folder, "precious"), join(folder, "cluster", "lure"));
  expect(() => giveTo({ name: "nobody", uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }, join(folder, "cluster"))).toThrow(
    /hard link/,
  );
});
