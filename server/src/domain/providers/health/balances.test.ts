import { expect, test } from "vitest";
import { createLog } from "../../../platform/observability/log.ts";
import { scriptedConnector } from "../testing/scripted-connector.ts";
import { queryBalances } from "./balances.ts";

test("a provider that must not be asked often is asked for its balance only when its turn has come", async () => {
  const usual = scriptedConnector([], { answers: { balance: { balance: "10" } } });
  const rare = { ...scriptedConnector([], { answers: { balance: { balance: "20" } } }), balanceMilliseconds: 600_000 };
  const noted: string[] = [];
  const turns: [string, number][] = [];
  const ask = (isTurn: boolean) =>
    queryBalances({
      balances: { note: (name) => noted.push(name) },
      providers: [
        { name: "usual", connector: usual },
        { name: "rare", connector: rare },
      ],
      isTurn: async (name, milliseconds) => {
        turns.push([name, milliseconds]);
        return isTurn;
      },
      clock: { now: () => 0 },
      log: createLog("fatal"),
      signal: new AbortController().signal,
    });
  await ask(true);
  await ask(false);
  expect(noted.toSorted()).toEqual(["rare", "usual", "usual"]);
  expect(turns).toEqual([
    ["rare", 600_000],
    ["rare", 600_000],
  ]);
});
