import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { type CellAddress, readCells } from "../domain/cells/cell.ts";
import type { ModeSetting } from "../domain/providers/mode/mode.ts";
import { isPath } from "../domain/providers/plugin/find-module.ts";
import { parseDatabaseUrl } from "../platform/db/servers/database-url.ts";
import type { Range } from "../platform/network/address.ts";
import { LOG_FORMATS, type LogFormat } from "../platform/observability/text-lines.ts";
import { readTraceSettings, type TraceSettings } from "../platform/observability/traces/settings.ts";
import { type Environment, insecureInProduction, isProduction, PROVIDER_ALLOW, ranges, SIGN_ON_ALLOW } from "./production-rules.ts";
import { type ArchiveSchedule, type Retention, readArchiveSchedule, readRetention } from "./retention-settings.ts";

export type Config = {
  readonly host: string;
  readonly port: number;
  /** How many processes serve behind the port. One serves by itself, without others. */
  readonly processes: number;
  readonly dataFolder: string;
  /** An existing PostgreSQL; null for the embedded one. */
  readonly databaseUrl: string | null;
  /** The cells beside home, which CORPRAIL_CELLS names. */
  readonly cells: readonly CellAddress[];
  readonly masterKeyFile: string | null;
  /** Seals the key file. */
  readonly outerKey: { readonly value: string | null; readonly command: string | null };
  /** The append-only file outside the database that holds every signing run. */
  readonly auditAnchorFile: string;
  readonly operatorKey: string | null;
  /** A replica of the database for lists and exports of staff; null reads everything from the primary. */
  readonly replicaUrl: string | null;
  readonly trustedProxies: readonly Range[];
  readonly callbackAllow: readonly Range[];
  /** Non-public addresses at which providers may still be called. */
  readonly providerAllow: readonly Range[];
  /** Addresses of identity providers that are allowed beside public ones. */
  readonly signOnAllow: readonly Range[];
  readonly clockOffsetSeconds: number;
  readonly metricsPort: number | null;
  /** The address at which browsers reach the portal and the console; null: the address the service listens on. */
  readonly publicUrl: string | null;
  /** A separate port for the console; null serves the console on the main port. */
  readonly consolePort: number | null;
  /** The address at which browsers reach the console. */
  readonly consoleUrl: string | null;
  /** The mail server; null disables mail. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  readonly logLevel: string;
  /** auto: readable lines when standard output is a terminal, JSON otherwise. */
  readonly logFormat: LogFormat;
  /** CORPRAIL_MODE, or live in production. Null: the mode stored in the database decides. */
  readonly mode: ModeSetting;
  /** After SIGTERM the process keeps serving this long while /readyz answers 503, so that a load balancer notices. */
  readonly drainSeconds: number;
  /** How long a reply waits for the provider before the order is answered as pending. */
  readonly replyWaitMilliseconds: number;
  /** How long records are kept that no rule keeps for ever. */
  readonly retention: Retention;
  /** Null: months leave the database by the command only. */
  readonly archive: ArchiveSchedule | null;
  /** The CORPRAIL_PROVIDER_… variables: secrets that provider descriptions refer to by name. */
  readonly providerSecrets: Readonly<Record<string, string | undefined>>;
  /** Plug-ins to load: names of packages, or absolute paths of folders and files. */
  readonly connectors: readonly string[];
  /** The folder in whose node_modules packages of plug-ins are looked for. */
  readonly connectorFolder: string;
  /** How old a provider's list of billers, banks or cities may get before it is read again. */
  readonly listHours: number;
  /** Null: traces are off. */
  readonly traces: TraceSettings | null;
  readonly simulator: { readonly delayMilliseconds: number; readonly timeoutMilliseconds: number };
};

export type ReadConfig = { readonly ok: true; readonly config: Config } | { readonly ok: false; readonly message: string };

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "silent"];
const SECRET = ["CORPRAIL_OPERATOR_KEY", "CORPRAIL_DATABASE_URL", "CORPRAIL_REPLICA_URL", "CORPRAIL_CELLS", "CORPRAIL_SMTP_URL"];
const MAX_PROCESSES = 64;
const OPERATOR_KEY = /^opk_[A-Za-z0-9_-]{32,128}$/;

/** Reads all environment variables and reports every invalid one in a single message. */
export function readConfig(environment: Environment, folder: string): ReadConfig {
  const traces = readTraceSettings(environment);
  const faults: string[] = [...traces.faults];
  const read = reader(environment, faults);
  const dataFolder = read("CORPRAIL_DATA_DIR", resolve(folder, "data"), "a folder", (text) => resolve(folder, text));
  const config: Config = {
    host: read("CORPRAIL_HOST", "127.0.0.1", "an address or host name", (text) => (/^[^\s/]+$/.test(text) ? text : null)),
    port: read("CORPRAIL_PORT", 8080, "a port, 0 to 65535", port),
    processes: read("CORPRAIL_PROCESSES", 1, `auto or a number of processes, 1 to ${MAX_PROCESSES}`, processes),
    dataFolder,
    databaseUrl: read(
      "CORPRAIL_DATABASE_URL",
      null,
      "a postgres:// address of one or several hosts, with target_session_attrs=read-write or without",
      databaseUrl,
    ),
    cells: read(
      "CORPRAIL_CELLS",
      [],
      "cells with spaces between, each a number from 1 to 31, = and a postgres:// address, such as 1=postgres://db1/corprail",
      readCells,
    ),
    masterKeyFile: read("CORPRAIL_MASTER_KEY_FILE", null, "a file", (text) => resolve(folder, text)),
    outerKey: readOuterKey(read),
    auditAnchorFile: read("CORPRAIL_AUDIT_ANCHOR_FILE", join(dataFolder, "signing-anchor.jsonl"), "a file", (text) =>
      resolve(folder, text),
    ),
    operatorKey: read("CORPRAIL_OPERATOR_KEY", null, "opk_ and 32 to 128 letters, digits, - or _", (text) =>
      OPERATOR_KEY.test(text) ? text : null,
    ),
    replicaUrl: read("CORPRAIL_REPLICA_URL", null, "a postgres:// address of one host", replicaUrl),
    ...readRanges(read),
    clockOffsetSeconds: read("CORPRAIL_CLOCK_OFFSET_SECONDS", 0, "a whole number of seconds", wholeNumber),
    metricsPort: read("CORPRAIL_METRICS_PORT", null, "a port, 0 to 65535", port),
    publicUrl: read("CORPRAIL_PUBLIC_URL", null, "an http or https address without a path", publicUrl),
    consolePort: read("CORPRAIL_CONSOLE_PORT", null, "a port, 0 to 65535", port),
    consoleUrl: read("CORPRAIL_CONSOLE_URL", null, "an http or https address without a path", publicUrl),
    smtpUrl: read("CORPRAIL_SMTP_URL", null, "an smtp:// or smtps:// address", smtpUrl),
    mailFrom: read("CORPRAIL_MAIL_FROM", "Corprail <corprail@localhost>", "an email address, with a name before it or without", mailFrom),
    drainSeconds: read("CORPRAIL_DRAIN_SECONDS", 1, "seconds, 0 to 300", drainSeconds),
    replyWaitMilliseconds: read("CORPRAIL_REPLY_WAIT_MS", 5_000, "milliseconds, 0 to 60000", milliseconds),
    retention: readRetention(read),
    archive: readArchiveSchedule(read, (text) => resolve(folder, text)),
    providerSecrets: Object.fromEntries(Object.entries(environment).filter(([name]) => isProviderSecret(name))),
    connectors: read(
      "CORPRAIL_CONNECTORS",
      [],
      "names of packages, or folders and files that begin with . or /, with commas between",
      (text) => connectors(text, folder),
    ),
    connectorFolder: folder,
    listHours: read("CORPRAIL_LIST_HOURS", 6, "hours, 1 to 168", listHours),
    simulator: readSimulator(read),
    traces: traces.settings,
    mode: read("CORPRAIL_MODE", isProduction(environment) ? "live" : null, "trial or live", mode),
    logLevel: read("CORPRAIL_LOG_LEVEL", "info", LOG_LEVELS.join(", "), (text) => (LOG_LEVELS.includes(text) ? text : null)),
    logFormat: read("CORPRAIL_LOG_FORMAT", "auto", LOG_FORMATS.join(", "), (text) => LOG_FORMATS.find((format) => format === text) ?? null),
  };
  faults.push(...insecureInProduction(environment));
  return faults.length === 0
    ? { ok: true, config }
    : { ok: false, message: ["Corprail cannot start with this configuration:", ...faults.map((fault) => `  ${fault}`)].join("\n") };
}

type Read = ReturnType<typeof reader>;

function readRanges(read: Read): Pick<Config, "trustedProxies" | "callbackAllow" | "providerAllow" | "signOnAllow"> {
  const of = (name: string) => read(name, [], "addresses or CIDR ranges with commas between", ranges);
  return {
    trustedProxies: of("CORPRAIL_TRUSTED_PROXIES"),
    callbackAllow: of("CORPRAIL_CALLBACK_ALLOW"),
    providerAllow: of(PROVIDER_ALLOW),
    signOnAllow: of(SIGN_ON_ALLOW),
  };
}

function readSimulator(read: Read): Config["simulator"] {
  return {
    delayMilliseconds: read("CORPRAIL_SIMULATOR_DELAY_MS", 3_000, "milliseconds, 0 to 60000", milliseconds),
    timeoutMilliseconds: read("CORPRAIL_SIMULATOR_TIMEOUT_MS", 3_000, "milliseconds, 0 to 60000", milliseconds),
  };
}

function readOuterKey(read: Read): Config["outerKey"] {
  return {
    value: read("CORPRAIL_OUTER_KEY", null, "32 bytes as hexadecimal or base64 text", (text) => text),
    command: read("CORPRAIL_OUTER_KEY_COMMAND", null, "a program with its arguments", (text) => text),
  };
}

function reader(environment: Environment, faults: string[]) {
  return <Value, Default>(name: string, fallback: Default, wanted: string, parse: (text: string) => Value | null): Value | Default => {
    const text = environment[name]?.trim();
    if (text === undefined || text === "") return fallback;
    const value = parse(text);
    if (value !== null) return value;
    // The value of a variable that holds a key or a password is not repeated in the message.
    faults.push(SECRET.includes(name) ? `${name} must be ${wanted}.` : `${name} must be ${wanted}, not ${JSON.stringify(text)}.`);
    return fallback;
  };
}

function listHours(text: string): number | null {
  const hours = wholeNumber(text);
  return hours !== null && hours >= 1 && hours <= 168 ? hours : null;
}

/** For example CORPRAIL_PROVIDER_ACME_TOKEN. */
function isProviderSecret(name: string): boolean {
  return name.startsWith("CORPRAIL_PROVIDER_") && name !== PROVIDER_ALLOW;
}

function mode(text: string): ModeSetting {
  return text === "trial" || text === "live" ? text : null;
}

/** auto: one for each core that this process may use. */
function processes(text: string): number | null {
  if (text === "auto") return Math.min(MAX_PROCESSES, availableParallelism());
  return /^[1-9][0-9]?$/.test(text) && Number(text) <= MAX_PROCESSES ? Number(text) : null;
}

function port(text: string): number | null {
  return /^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null;
}

function milliseconds(text: string): number | null {
  return /^[0-9]{1,5}$/.test(text) && Number(text) <= 60_000 ? Number(text) : null;
}

function drainSeconds(text: string): number | null {
  return /^[0-9]{1,3}$/.test(text) && Number(text) <= 300 ? Number(text) : null;
}

function wholeNumber(text: string): number | null {
  return /^-?[0-9]{1,9}$/.test(text) ? Number(text) : null;
}

function databaseUrl(text: string): string | null {
  return parseDatabaseUrl(text) === null ? null : text;
}

/** With several hosts the driver would look for one that accepts writes, which no replica does. */
function replicaUrl(text: string): string | null {
  return parseDatabaseUrl(text)?.hosts.length === 1 ? text : null;
}

function smtpUrl(text: string): string | null {
  return /^smtps?:\/\/[^\s/]+/.test(text) && URL.canParse(text) ? text : null;
}

function mailFrom(text: string): string | null {
  return /^(?:[^<>@\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text) ? text : null;
}

function publicUrl(text: string): string | null {
  return /^https?:\/\/[^\s/?#@]+\/?$/.test(text) && URL.canParse(text) ? new URL(text).origin : null;
}

function connectors(text: string, folder: string): readonly string[] | null {
  const entries = text.split(",").map((entry) => entry.trim());
  const isEntry = (entry: string) => isPath(entry) || /^(?:@[a-z0-9._~-]+\/)?[a-z0-9][a-z0-9._~-]*$/.test(entry);
  return entries.every(isEntry) ? entries.map((entry) => (isPath(entry) ? resolve(folder, entry) : entry)) : null;
}
