import { expect, test, vi } from "vitest";
import { pageInMode, readDataMode, thisPageInMode } from "./data-mode.ts";

test("only mode=test is test mode", () => {
  expect(["", "?mode=live", "?mode=TEST", "?other=test"].map(readDataMode)).toEqual(["live", "live", "live", "live"]);
  expect(readDataMode("?status=FAILED&mode=test")).toBe("test");
});

test("a switch keeps the filters of the page and changes the mode only", () => {
  vi.stubGlobal("location", { pathname: "/console/transactions/A1", search: "?status=FAILED" });
  expect(thisPageInMode("test")).toBe("/console/transactions/A1?status=FAILED&mode=test");
  vi.stubGlobal("location", { pathname: "/console/transactions/A1", search: "?mode=test" });
  expect(thisPageInMode("live")).toBe("/console/transactions/A1");
  vi.unstubAllGlobals();
  expect([pageInMode("/callbacks", "test"), pageInMode("/", "live")]).toEqual(["/callbacks?mode=test", "/"]);
});
