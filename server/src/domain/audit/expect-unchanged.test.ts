import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { appendAudit } from "./append.ts";
import { ChangedMeanwhile, expectUnchanged, formatRevision, parseRevision, type Revision, readRevision } from "./expect-unchanged.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
  await database.sql`
    insert into installation (installation_id, created_at, master_key_file, master_key_id) values ('I1', now(), 'f', 'k')
    on conflict do nothing`;
});
afterEach(() => database.drop());

type Entry = { readonly kind?: "provider" | "commercial"; readonly action?: string };

async function change(id: string, { kind = "provider", action = "provider.changed" }: Entry = {}): Promise<void> {
  await database.sql.begin((tx) => appendAudit(tx, new Date(), { actor: "staff:U1", action, subject: { kind, id }, details: {} }));
}

async function changeFrom(revision: Revision, id: string, entry: Entry = {}): Promise<Revision> {
  return (await expectUnchanged(revision, () => change(id, entry))).revision;
}

test("a change of an object that somebody changed after the revision is refused and leaves no entry", async () => {
  await change("acme");
  const revision = await readRevision(database.sql);
  await change("acme");
  await expect(changeFrom(revision, "acme")).rejects.toThrow(ChangedMeanwhile);
  await changeFrom(revision, "other");
  expect(formatRevision(await readRevision(database.sql))).toBe("0:3");
});

test("own changes do not count as those of somebody else, also with others in between", async () => {
  let revision = await readRevision(database.sql);
  revision = await changeFrom(revision, "acme");
  await change("other");
  revision = await changeFrom(revision, "acme");
  expect(formatRevision(revision)).toBe("0:0+1+3");
  await change("acme");
  await expect(changeFrom(revision, "acme")).rejects.toThrow("was changed by staff:U1 (provider.changed)");
});

test("entries that change no setting do not refuse a change", async () => {
  const revision = await readRevision(database.sql);
  await change("acme", { action: "provider.breaker_reset" });
  await changeFrom(revision, "acme");
});

test("any new price rule refuses another one, because each has an id of its own", async () => {
  const revision = await readRevision(database.sql);
  await change("R1", { kind: "commercial", action: "commercial.set" });
  await expect(changeFrom(revision, "R2", { kind: "commercial", action: "commercial.set" })).rejects.toThrow(ChangedMeanwhile);
});

test("of many changes of one object from the same revision at once, one is made", async () => {
  const revision = await readRevision(database.sql);
  const all = await Promise.allSettled(Array.from({ length: 20 }, () => changeFrom(revision, "acme")));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(formatRevision(await readRevision(database.sql))).toBe("0:1");
});

test("a revision is read as it was written, and other texts are refused", () => {
  const seq = fc.bigInt({ min: 0n, max: 10n ** 17n });
  const own = fc.array(seq.chain((first) => fc.bigInt({ min: first, max: first + 50n }).map((last) => ({ first, last }))));
  const cells = fc.array(fc.tuple(fc.integer({ min: 0, max: 31 }), fc.record({ seen: seq, own })), { minLength: 1 });
  fc.assert(
    fc.property(cells, (entries) => {
      const revision: Revision = new Map(entries.toSorted(([one], [other]) => one - other));
      expect(parseRevision(formatRevision(revision))).toEqual(revision);
    }),
  );
  for (const text of ["", "0", "0:", "0:1;drop", "a:1", "0:1+", "0:1+2-", "0:1,"]) expect(parseRevision(text)).toBeNull();
});
