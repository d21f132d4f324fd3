import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { type Config, readConfig } from "./config.ts";

const KEY = `opk_${"k".repeat(32)}`;

function config(environment: Record<string, string>): Config {
  const read = readConfig(environment, "/srv/corprail");
  if (!read.ok) throw new Error(read.message);
  return read.config;
}

function faults(environment: Record<string, string>): readonly string[] {
  const read = readConfig(environment, "/srv/corprail");
  return read.ok
    ? []
    : read.message
        .split("\n")
        .slice(1)
        .map((line) => line.trim());
}

test("without any variable every setting has its default", () => {
  expect(config({})).toMatchObject({
    host: "127.0.0.1",
    port: 8080,
    processes: 1,
    dataFolder: "/srv/corprail/data",
    databaseUrl: null,
    masterKeyFile: null,
    operatorKey: null,
    trustedProxies: [],
    callbackAllow: [],
    clockOffsetSeconds: 0,
    metricsPort: null,
    logLevel: "info",
  });
});

test("an empty or blank variable counts as not set", () => {
  expect(config({ CORPRAIL_PORT: "", CORPRAIL_HOST: "  ", CORPRAIL_DATABASE_URL: "", CORPRAIL_OPERATOR_KEY: " " })).toEqual(config({}));
});

const KEPT = { evidenceDays: 400, callbackLogDays: 400, apiLogDays: 7, unusedDays: 30, documentDays: 1826 };

test.each<readonly [name: string, text: string, field: keyof Config, value: unknown]>([
  ["CORPRAIL_PORT", "0", "port", 0],
  ["CORPRAIL_PORT", " 65535 ", "port", 65_535],
  ["CORPRAIL_PROCESSES", "4", "processes", 4],
  ["CORPRAIL_PROCESSES", "auto", "processes", Math.min(64, availableParallelism())],
  ["CORPRAIL_HOST", "0.0.0.0", "host", "0.0.0.0"],
  ["CORPRAIL_HOST", "::1", "host", "::1"],
  ["CORPRAIL_DATA_DIR", "my data", "dataFolder", "/srv/corprail/my data"],
  ["CORPRAIL_DATA_DIR", "/var/lib/corprail", "dataFolder", "/var/lib/corprail"],
  ["CORPRAIL_MASTER_KEY_FILE", "keys/master", "masterKeyFile", "/srv/corprail/keys/master"],
  ["CORPRAIL_DATABASE_URL", "postgresql://u:p@h/d", "databaseUrl", "postgresql://u:p@h/d"],
  ["CORPRAIL_OPERATOR_KEY", KEY, "operatorKey", KEY],
  ["CORPRAIL_CLOCK_OFFSET_SECONDS", "-86400", "clockOffsetSeconds", -86_400],
  ["CORPRAIL_METRICS_PORT", "9100", "metricsPort", 9100],
  ["CORPRAIL_EVIDENCE_DAYS", "180", "retention", { ...KEPT, evidenceDays: 180 }],
  ["CORPRAIL_UNUSED_DAYS", "7", "retention", { ...KEPT, unusedDays: 7 }],
  ["CORPRAIL_LOG_LEVEL", "silent", "logLevel", "silent"],
  ["CORPRAIL_LOG_FORMAT", "text", "logFormat", "text"],
  ["CORPRAIL_SMTP_URL", "smtps://u:p@mail.example:465", "smtpUrl", "smtps://u:p@mail.example:465"],
  ["CORPRAIL_REPLICA_URL", "postgres://u:p@replica.example/corprail", "replicaUrl", "postgres://u:p@replica.example/corprail"],
  ["CORPRAIL_MAIL_FROM", "Asha Pay <pay@shop.example>", "mailFrom", "Asha Pay <pay@shop.example>"],
  ["CORPRAIL_MAIL_FROM", "pay@shop.example", "mailFrom", "pay@shop.example"],
])("%s=%s is accepted", (name, text, field, value) => {
  expect(config({ [name]: text })[field]).toEqual(value);
});

test.each([
  ["CORPRAIL_PORT", "65536"],
  ["CORPRAIL_PROCESSES", "0"],
  ["CORPRAIL_PROCESSES", "65"],
  ["CORPRAIL_PROCESSES", "all"],
  ["CORPRAIL_PORT", "-1"],
  ["CORPRAIL_PORT", "80.5"],
  ["CORPRAIL_PORT", "0x50"],
  ["CORPRAIL_PORT", "http"],
  ["CORPRAIL_PORT", "1e3"],
  ["CORPRAIL_EVIDENCE_DAYS", "179"],
  ["CORPRAIL_EVIDENCE_DAYS", "3661"],
  ["CORPRAIL_CALLBACK_LOG_DAYS", "179"],
  ["CORPRAIL_API_LOG_DAYS", "0"],
  ["CORPRAIL_API_LOG_DAYS", "401"],
  ["CORPRAIL_UNUSED_DAYS", "6"],
  ["CORPRAIL_HOST", "a b"],
  ["CORPRAIL_HOST", "http://localhost"],
  ["CORPRAIL_DATABASE_URL", "mysql://h/d"],
  ["CORPRAIL_DATABASE_URL", "host=localhost"],
  ["CORPRAIL_OPERATOR_KEY", "secret"],
  ["CORPRAIL_OPERATOR_KEY", `opk_${"k".repeat(31)}`],
  ["CORPRAIL_OPERATOR_KEY", `opk_${"k".repeat(129)}`],
  ["CORPRAIL_OPERATOR_KEY", `opk_${"k".repeat(32)}!`],
  ["CORPRAIL_TRUSTED_PROXIES", "localhost"],
  ["CORPRAIL_TRUSTED_PROXIES", "10.0.0.0/33"],
  ["CORPRAIL_TRUSTED_PROXIES", "10.0.0.1,"],
  ["CORPRAIL_TRUSTED_PROXIES", "10.0.0.1 10.0.0.2"],
  ["CORPRAIL_CALLBACK_ALLOW", "*"],
  ["CORPRAIL_CLOCK_OFFSET_SECONDS", "1.5"],
  ["CORPRAIL_CLOCK_OFFSET_SECONDS", "1h"],
  ["CORPRAIL_METRICS_PORT", "none"],
  ["CORPRAIL_LOG_LEVEL", "loud"],
  ["CORPRAIL_LOG_FORMAT", "yaml"],
  ["CORPRAIL_SMTP_URL", "http://mail.example"],
  ["CORPRAIL_REPLICA_URL", "postgres://one.example,two.example/corprail"],
  ["CORPRAIL_MAIL_FROM", "Asha Pay"],
  ["CORPRAIL_MAIL_FROM", "Asha <a@b.example>, Eve <e@b.example>"],
])("%s=%s is refused with a message that names the variable", (name, text) => {
  expect(faults({ [name]: text })).toEqual([expect.stringContaining(name)]);
});

test("one message names every invalid variable", () => {
  const wrong = { CORPRAIL_PORT: "x", CORPRAIL_HOST: "a b", CORPRAIL_LOG_LEVEL: "loud", CORPRAIL_TRUSTED_PROXIES: "x" };
  expect(
    faults(wrong)
      .map((fault) => fault.split(" ")[0])
      .sort(),
  ).toEqual(Object.keys(wrong).sort());
});

test("no message repeats a key or a password", () => {
  const url = "mysql://u:hunter2-password@h/d";
  const read = readConfig({ CORPRAIL_OPERATOR_KEY: "hunter2-key", CORPRAIL_DATABASE_URL: url, CORPRAIL_SMTP_URL: url }, "/");
  expect(JSON.stringify(read)).not.toContain("hunter2");
});

test.each([
  ["CORPRAIL_CALLBACK_ALLOW", "127.0.0.0/8"],
  ["CORPRAIL_CLOCK_OFFSET_SECONDS", "60"],
  ["CORPRAIL_CLOCK_OFFSET_SECONDS", "0"],
])("in production %s=%s stops the start, unless that is allowed expressly", (name, text) => {
  expect(faults({ NODE_ENV: "production", [name]: text })).toEqual([expect.stringContaining(name)]);
  expect(faults({ NODE_ENV: "production", CORPRAIL_ALLOW_INSECURE: "true", [name]: text })).toHaveLength(1);
  expect(faults({ NODE_ENV: "production", CORPRAIL_ALLOW_INSECURE: "1", [name]: text })).toEqual([]);
  expect(faults({ [name]: text })).toEqual([]);
});

test("in production providers may be in private networks, but not on this machine or at link-local addresses", () => {
  const production = (text: string, more = {}) => faults({ NODE_ENV: "production", CORPRAIL_PROVIDER_ALLOW: text, ...more });
  expect(production("10.0.0.0/8, 192.168.7.4, fd12::/16")).toEqual([]);
  for (const text of ["127.0.0.1", "10.0.0.0/8,169.254.169.254", "0.0.0.0/0", "::1", "fe80::/10", "::/0"])
    expect(production(text)).toEqual([expect.stringContaining("CORPRAIL_PROVIDER_ALLOW")]);
  expect(production("127.0.0.1", { CORPRAIL_ALLOW_INSECURE: "1" })).toEqual([]);
  expect(faults({ CORPRAIL_PROVIDER_ALLOW: "127.0.0.1" })).toEqual([]);
});

test("proxies are read as ranges with their host bits masked", () => {
  const { trustedProxies } = config({ CORPRAIL_TRUSTED_PROXIES: "10.1.2.3/8 , ::1" });
  expect(trustedProxies.map((range) => `${range.base.toString()}/${range.bits}`)).toEqual(["10.0.0.0/8", "::1/128"]);
});

test("months are archived by schedule only with a folder, and not earlier than the law allows", () => {
  expect(config({}).archive).toBeNull();
  expect(config({ CORPRAIL_ARCHIVE_KEEP_MONTHS: "6" }).archive).toBeNull();
  expect(config({ CORPRAIL_ARCHIVE_FOLDER: "archive" }).archive).toEqual({ folder: "/srv/corprail/archive", keepMonths: 24 });
  expect(faults({ CORPRAIL_ARCHIVE_FOLDER: "/a", CORPRAIL_ARCHIVE_KEEP_MONTHS: "5" })).toEqual([
    'CORPRAIL_ARCHIVE_KEEP_MONTHS must be months, 6 to 120 (CERT-In requires that logs are kept for 180 days), not "5".',
  ]);
});

test("a retention below the legal minimum is refused with the reason", () => {
  expect(faults({ CORPRAIL_EVIDENCE_DAYS: "30" })).toEqual([
    'CORPRAIL_EVIDENCE_DAYS must be days, 180 to 3660 (CERT-In requires that logs are kept for 180 days), not "30".',
  ]);
});
