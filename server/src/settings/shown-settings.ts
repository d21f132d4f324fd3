import type { ShownSetting } from "../domain/reporting/system/read-system.ts";
import { shownDatabaseUrl } from "../platform/db/servers/database-url.ts";
import { formatRange } from "../platform/network/address.ts";
import type { Config } from "./config.ts";

const SET = "set";

/** The configuration as staff may see it. For a secret it only says that it is set. */
export function shownSettings(config: Config): readonly ShownSetting[] {
  const { simulator } = config;
  const all: readonly (readonly [name: string, value: string | number | null])[] = [
    ["HOST", config.host],
    ["PORT", config.port],
    ["PROCESSES", config.processes],
    ["PUBLIC_URL", config.publicUrl],
    ["CONSOLE_PORT", config.consolePort],
    ["CONSOLE_URL", config.consoleUrl],
    ["DATA_DIR", config.dataFolder],
    ["DATABASE_URL", config.databaseUrl && shownDatabaseUrl(config.databaseUrl)],
    ["CELLS", listed(config.cells.map(({ cell, url }) => `${cell}=${shownDatabaseUrl(url)}`))],
    ["REPLICA_URL", config.replicaUrl && shownDatabaseUrl(config.replicaUrl)],
    ["MASTER_KEY_FILE", config.masterKeyFile],
    ["OUTER_KEY", config.outerKey.value && SET],
    ["OUTER_KEY_COMMAND", config.outerKey.command],
    ["AUDIT_ANCHOR_FILE", config.auditAnchorFile],
    ["OPERATOR_KEY", config.operatorKey && SET],
    ["TRUSTED_PROXIES", listed(config.trustedProxies.map(formatRange))],
    ["SMTP_URL", config.smtpUrl && withoutCredentials(config.smtpUrl)],
    ["MAIL_FROM", config.mailFrom],
    ["MODE", config.mode],
    ["REPLY_WAIT_MS", config.replyWaitMilliseconds],
    ["EVIDENCE_DAYS", config.retention.evidenceDays],
    ["CALLBACK_LOG_DAYS", config.retention.callbackLogDays],
    ["API_LOG_DAYS", config.retention.apiLogDays],
    ["UNUSED_DAYS", config.retention.unusedDays],
    ["DOCUMENT_DAYS", config.retention.documentDays],
    ["ARCHIVE_FOLDER", config.archive?.folder ?? null],
    ["ARCHIVE_KEEP_MONTHS", config.archive?.keepMonths ?? null],
    ["LIST_HOURS", config.listHours],
    ["DRAIN_SECONDS", config.drainSeconds],
    ["METRICS_PORT", config.metricsPort],
    ["LOG_LEVEL", config.logLevel],
    ["LOG_FORMAT", config.logFormat],
    ["SIMULATOR_DELAY_MS", simulator.delayMilliseconds],
    ["SIMULATOR_TIMEOUT_MS", simulator.timeoutMilliseconds],
    ["CALLBACK_ALLOW", listed(config.callbackAllow.map(formatRange))],
    ["PROVIDER_ALLOW", listed(config.providerAllow.map(formatRange))],
    ["SINGLE_SIGN_ON_ALLOW", listed(config.signOnAllow.map(formatRange))],
    ["CONNECTORS", listed(config.connectors)],
    ["CLOCK_OFFSET_SECONDS", config.clockOffsetSeconds],
  ];
  const secrets = Object.keys(config.providerSecrets).sort();
  return [
    ...all.map(([name, value]) => ({ name: `CORPRAIL_${name}`, value: value === null ? null : String(value) })),
    ...secrets.map((name) => ({ name, value: SET })),
  ];
}

function listed(values: readonly string[]): string | null {
  return values.length === 0 ? null : values.join(", ");
}

/** Removes user, password and query from a URL. */
function withoutCredentials(text: string): string {
  const url = new URL(text);
  return `${url.protocol}//${url.host}${url.pathname}`;
}
