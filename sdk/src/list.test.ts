import { expect, test } from "vitest";
import { bench } from "../testing/scripted-fetch.js";
import { NoAnswerError } from "./errors.js";

const page = (numbers: readonly number[], next: string | null) => ({
  status: 200,
  body: { ok: true, items: numbers.map((number) => ({ operator: `O${number}`, min_amount: "10.0000" })), next },
});

test("a list is walked over its pages, and each page is fetched when it is needed", async () => {
  const { corprail, sent } = bench([page([1, 2], "c/1"), page([], "c2"), page([3], null)]);
  const seen: string[] = [];
  for await (const operator of corprail.recharge.operators({ kind: "dth" }, { pageSize: 2 }))
    seen.push(`${operator.operator} ${sent.length}`);
  expect(seen).toEqual(["O1 1", "O2 1", "O3 3"]);
  expect(sent.map((one) => one.query)).toEqual(["kind=dth&limit=2", "after=c%2F1&kind=dth&limit=2", "after=c2&kind=dth&limit=2"]);
});

test("a walk that stops early fetches no more", async () => {
  const { corprail, sent } = bench([page([1, 2], "c1")]);
  expect(await corprail.recharge.operators().toArray(2)).toHaveLength(2);
  expect(sent).toHaveLength(1);
  expect(await corprail.recharge.operators().toArray(0)).toEqual([]);
});

test("a list can be walked twice, and a page can be asked for by its cursor", async () => {
  const { corprail, sent } = bench([page([1], null), page([1], null), page([2], null)]);
  const list = corprail.recharge.operators();
  expect(await list.toArray()).toEqual(await list.toArray());
  expect(await list.page("c1")).toMatchObject({ items: [{ operator: "O2", minAmount: "10.0000" }], next: null });
  expect(sent[2]?.query).toBe("after=c1");
});

test("a reply that is no list is an error, not an empty list", async () => {
  const { corprail } = bench([{ status: 200, body: { ok: true } }]);
  await expect(corprail.recharge.operators().toArray()).rejects.toBeInstanceOf(NoAnswerError);
});
