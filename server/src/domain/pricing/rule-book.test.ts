import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Rule, rankOf } from "./rule.ts";
import { ruleBook } from "./rule-book.ts";
import { ruleOf } from "./testing/rules.ts";

const NOW = 1_000;

describe("of several rules for an order", () => {
  // In this order, as docs/operating.md says it.
  const [first, second, third, fourth, fifth, sixth] = [
    ruleOf({ accountId: "A1", service: "recharge", operator: "AT" }),
    ruleOf({ accountId: "A1", service: "recharge" }),
    ruleOf({ accountId: "A1" }),
    ruleOf({ service: "recharge", operator: "AT" }),
    ruleOf({ service: "recharge" }),
    ruleOf(),
  ];
  const all = [sixth, third, first, fifth, second, fourth];

  test("the closest counts, the account before the operator, the operator before the service", () => {
    let left: readonly Rule[] = all;
    for (const expected of [first, second, third, fourth, fifth, sixth]) {
      expect(ruleBook(left)("A1", "recharge", "AT", NOW)).toBe(expected);
      left = left.filter((one) => one !== expected);
    }
    expect(ruleBook(left)("A1", "recharge", "AT", NOW)).toBeNull();
  });

  test("none of another account, service or operator counts", () => {
    expect(ruleBook(all)("A2", "recharge", "AT", NOW)).toBe(fourth);
    expect(ruleBook(all)("A2", "recharge", "JO", NOW)).toBe(fifth);
    expect(ruleBook(all)("A2", "bills", "AT", NOW)).toBe(sixth);
    expect(ruleBook(all)("A1", "bills", "AT", NOW)).toBe(third);
    expect(ruleBook([first, second, fourth, fifth])("A1", "bills", "AT", NOW)).toBeNull();
  });
});

describe("of several rules for the same", () => {
  test("the one that began last counts, and a later one not before its time", () => {
    const [old, current, later] = [ruleOf({ validFrom: 10 }), ruleOf({ validFrom: 500 }), ruleOf({ validFrom: 2_000 })];
    const book = ruleBook([later, old, current]);
    const at = (moment: number) => book("A1", "recharge", "AT", moment);
    expect([at(9), at(10), at(499), at(500), at(NOW), at(1_999), at(2_000)]).toEqual([null, old, old, current, current, current, later]);
  });

  test("one that was ended counts no longer, nor does the one that it had ended", () => {
    const book = ruleBook([ruleOf({ validFrom: 10 }), ruleOf({ validFrom: 500, endedAt: 800 })]);
    expect(book("A1", "recharge", "AT", 799)).not.toBeNull();
    expect(book("A1", "recharge", "AT", 800)).toBeNull();
  });

  test("one that was taken back before it began leaves the one before it in force", () => {
    const old = ruleOf({ validFrom: 10 });
    const book = ruleBook([old, ruleOf({ validFrom: 2_000, endedAt: NOW })]);
    expect(book("A1", "recharge", "AT", 3_000)).toBe(old);
  });

  test("of two of one moment the one that was set last counts", () => {
    const [, second] = [ruleOf(), ruleOf()];
    expect(ruleBook([second, ruleOf({ ruleId: "R000000" })])("A1", "recharge", "AT", NOW)).toBe(second);
  });
});

const some = fc.record({
  accountId: fc.constantFrom(null, "A1", "A2"),
  service: fc.constantFrom(null, "recharge", "bills"),
  operator: fc.constantFrom(null, "AT", "JO"),
  validFrom: fc.nat({ max: 20 }),
  endedAt: fc.option(fc.nat({ max: 20 })),
});

test("whatever rules there are, what is found is what a plain search finds", () => {
  fc.assert(
    fc.property(fc.array(some, { maxLength: 25 }), fc.nat({ max: 20 }), (wanted, at) => {
      const rules = wanted.map((one) => ruleOf({ ...one, operator: one.service === null ? null : one.operator }));
      const book = ruleBook(rules);
      for (const accountId of ["A1", "A2", "A3"])
        for (const service of ["recharge", "bills", "bus"])
          for (const operator of ["AT", "JO", "VI"]) {
            const fits = (rule: Rule) =>
              [rule.accountId ?? accountId, rule.service ?? service, rule.operator ?? operator].join() ===
              [accountId, service, operator].join();
            const candidates = [0, 1, 2, 3, 4, 5].flatMap((rank) => {
              const same = rules.filter((rule) => fits(rule) && rankOf(rule) === rank);
              const begun = same.filter((rule) => rule.validFrom <= at && (rule.endedAt === null || rule.endedAt > rule.validFrom));
              const [latest] = begun.toSorted((a, b) => b.validFrom - a.validFrom || (a.ruleId < b.ruleId ? 1 : -1));
              return latest && (latest.endedAt === null || latest.endedAt > at) ? [latest] : [];
            });
            const [expected = null] = candidates.toSorted((a, b) => rankOf(a) - rankOf(b));
            expect(book(accountId, service, operator, at)).toBe(expected);
          }
    }),
  );
});
