import { expect, test } from "vitest";
import { hasFile, isOpen, type Job, messageOf, progressText } from "./job.ts";

const job = (changes: Partial<Job> = {}): Job => ({
  job_id: "J1",
  kind: "export",
  input: {},
  state: "running",
  cancel_asked: false,
  done: 1_500,
  total: 250_000,
  rate_per_second: 1_000,
  eta_seconds: 248,
  created_at: "2026-11-15 15:21:32",
  started_at: null,
  finished_at: null,
  result: null,
  ...changes,
});

test("a running job shows progress, rate and the time that is left", () => {
  expect(progressText(job())).toBe("1,500 of 2,50,000 · 1,000 a second · 4 min 8 s left");
  expect(progressText(job({ total: null, rate_per_second: null, eta_seconds: null }))).toBe("1,500");
});

test("a cancelled job shows how far it came, without a rate", () => {
  expect(progressText(job({ state: "cancelled" }))).toBe("1,500 of 2,50,000");
});

test("a finished job shows what the service says, or else the rows", () => {
  expect(progressText(job({ state: "done", result: { rows: 12_345 } }))).toBe("12,345 done");
  expect(progressText(job({ state: "done", result: { rows: 1, message: "One row." } }))).toBe("One row.");
  expect(progressText(job({ state: "failed", result: { message: "The disk is full." } }))).toBe("The disk is full.");
  expect(progressText(job({ state: "failed" }))).toContain("Start it again.");
});

test("only a finished job with a file can be downloaded", () => {
  expect(hasFile(job({ state: "done", result: { file: "orders.csv" } }))).toBe(true);
  expect(hasFile(job({ state: "done", result: { file: null } }))).toBe(false);
  expect(hasFile(job({ state: "failed", result: { file: "orders.csv" } }))).toBe(false);
});

test("waiting and running jobs are open", () => {
  const states = ["waiting", "running", "done", "failed", "cancelled"] as const;
  expect(states.filter((state) => isOpen({ state }))).toEqual(["waiting", "running"]);
});

test("a message that is no text is none", () => {
  expect(messageOf({ result: { message: 5 } })).toBeNull();
});
