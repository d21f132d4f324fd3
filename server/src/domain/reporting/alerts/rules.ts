import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { type Unserved, unservedText } from "../../providers/routing/unserved.ts";
import type { AlertKind } from "./alert.ts";
import type { AlertSettings } from "./settings.ts";

/** The input of the rules. */
export type Facts = {
  readonly ledgerViolations: number;
  /** The last day that is signed and the last one that should be, if signing is behind. */
  readonly signingBehind: { readonly lastDay: string | null; readonly dueDay: string } | null;
  /** Of the last 15 minutes. */
  readonly providers: readonly {
    readonly provider: string;
    readonly success: number;
    readonly failed: number;
    readonly passedOn: number;
  }[];
  readonly breakers: readonly { readonly provider: string; readonly operator: string }[];
  /** Of enabled providers, in ten-thousandths of a rupee. `declined`: an order was declined for it in the last 15 minutes. */
  readonly balances: readonly { readonly provider: string; readonly balance: bigint | null; readonly declined: boolean }[];
  readonly pendingOverTenMinutes: number;
  readonly humanTasks: number;
  /** The orders of bus cancellations that staff must decide. */
  readonly doubtfulCancellations: readonly string[];
  /** The callback that has been due longest. */
  readonly oldestCallback: { readonly accountId: string; readonly accountName?: string | undefined; readonly seconds: number } | null;
  readonly failingJobs: readonly { readonly name: string; readonly failures: number; readonly error: string }[];
  /** In the last hour. */
  readonly failedJobs: number;
  readonly clocks: readonly { readonly process: string; readonly milliseconds: number }[];
  /** Enabled operators and services without a provider. */
  readonly unserved: Unserved;
  /** Lists of providers that could not be refreshed. */
  readonly failingLists: readonly {
    readonly provider: string;
    readonly name: string;
    readonly key: string;
    readonly failure: string | null;
    /** When the list that is used was read; null when there is none. */
    readonly refreshedAt: Date | null;
  }[];
  /** Members of staff who signed in with the password of an emergency account in the last hour. */
  readonly emergencySignIns: readonly { readonly userId: string; readonly email: string; readonly at: Date }[];
  readonly withoutKey: readonly { readonly process: string; readonly keyId: string }[];
  /** How the settings differ from the applied configuration files, if an alert was asked for. */
  readonly configurationDrift: string | null;
  /** Why the last scheduled move of old months to the archive failed. */
  readonly archiveFailure: string | null;
};

/** A condition that causes an alert. */
export type Condition = { readonly kind: AlertKind; readonly subject: string; readonly message: string };

/** All current conditions, at most one for each kind and subject. */
export function conditionsOf(facts: Facts, settings: AlertSettings): readonly Condition[] {
  return [
    ...ledger(facts),
    ...signing(facts),
    ...providers(facts, settings),
    ...breakers(facts, settings),
    ...balances(facts, settings),
    ...orders(facts, settings),
    ...cancellations(facts),
    ...callbacks(facts, settings),
    ...jobs(facts, settings),
    ...machines(facts, settings),
    ...unserved(facts),
    ...lists(facts),
    ...archive(facts),
    ...configuration(facts),
    ...emergencies(facts),
  ];
}

function ledger({ ledgerViolations: violations }: Facts): readonly Condition[] {
  if (violations === 0) return [];
  const message = `The continuous check of the ledger found ${counted(violations, "violation")}.`;
  return [{ kind: "ledger_violation", subject: "", message }];
}

function signing({ signingBehind: behind }: Facts): readonly Condition[] {
  if (behind === null) return [];
  const last = behind.lastDay === null ? "no day is signed yet" : `the last signed day is ${behind.lastDay}`;
  const message = `The ledger of ${behind.dueDay} should be signed, but ${last}. The log says why under "ledger signing".`;
  return [{ kind: "signing_behind", subject: "", message }];
}

function providers(
  facts: Facts,
  { provider_success_percent: least, provider_success_orders: enough }: AlertSettings,
): readonly Condition[] {
  if (least === null) return [];
  return facts.providers.flatMap(({ provider, success, failed, passedOn }) => {
    const decided = success + failed + passedOn;
    if (decided < enough || success * 100 >= least * decided) return [];
    const share = Math.floor((success * 100) / decided);
    const message = `${provider} carried out ${success} of ${decided} orders in the last 15 minutes: ${share} %, less than ${least} %.`;
    return [{ kind: "provider_success", subject: provider, message } as const];
  });
}

function breakers(facts: Facts, { breaker_open: isOn }: AlertSettings): readonly Condition[] {
  const operators = new Map<string, Set<string>>();
  for (const { provider, operator } of isOn ? facts.breakers : [])
    operators.set(provider, (operators.get(provider) ?? new Set()).add(operator));
  return [...operators].map(([provider, names]) => ({
    kind: "breaker_open",
    subject: provider,
    message: `${provider} does not respond. Orders are routed around it for ${listed([...names].sort())}.`,
  }));
}

function balances(facts: Facts, { provider_balance: least, provider_float: isOn }: AlertSettings): readonly Condition[] {
  return facts.balances.flatMap(({ provider, balance, declined }) => {
    const found: Condition[] = [];
    if (least !== null && balance !== null && balance < BigInt(least) * 10_000n) {
      const message = `The balance at ${provider} is ${formatMoney(balance)} rupees, less than ${least}. Deposit money there.`;
      found.push({ kind: "provider_balance", subject: provider, message });
    }
    if (isOn && declined) {
      const message = `${provider} declined orders in the last 15 minutes because the balance there is too low. Deposit money there.`;
      found.push({ kind: "provider_float", subject: provider, message });
    }
    return found;
  });
}

function orders(facts: Facts, settings: AlertSettings): readonly Condition[] {
  const found: Condition[] = [];
  const { pending_orders: most, human_tasks: tasks } = settings;
  if (most !== null && facts.pendingOverTenMinutes > most)
    found.push({
      kind: "pending_orders",
      subject: "",
      message: `${counted(facts.pendingOverTenMinutes, "order")} pending for more than 10 minutes. The limit is ${most}.`,
    });
  if (tasks !== null && facts.humanTasks >= tasks)
    found.push({
      kind: "human_tasks",
      subject: "",
      message: `${counted(facts.humanTasks, "order")} still in doubt after a day of checks. Settle ${facts.humanTasks === 1 ? "it" : "them"} manually.`,
    });
  return found;
}

function cancellations({ doubtfulCancellations: orders }: Facts): readonly Condition[] {
  if (orders.length === 0) return [];
  const message = `The provider does not say whether bus tickets are cancelled. Decide the cancellations of: ${listed(orders)}.`;
  return [{ kind: "bus_cancellations", subject: "", message }];
}

function callbacks({ oldestCallback: oldest }: Facts, { callback_minutes: most }: AlertSettings): readonly Condition[] {
  if (most === null || oldest === null || oldest.seconds < most * 60) return [];
  const whose = oldest.accountName === undefined ? `account ${oldest.accountId}` : `${oldest.accountName} (${oldest.accountId})`;
  const message = `Callbacks of ${whose} have been due for ${durationText(oldest.seconds)}.`;
  return [{ kind: "callbacks_late", subject: "", message }];
}

/** "15 minutes", "24 hours", "3 days". */
function durationText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}

function jobs(facts: Facts, { job_failures: inARow, failed_jobs: anHour }: AlertSettings): readonly Condition[] {
  const failing = facts.failingJobs.filter(({ failures }) => inARow !== null && failures >= inARow);
  const found: Condition[] = failing.map(({ name, failures, error }) => ({
    kind: "job_failing",
    subject: name,
    message: `${name} has failed ${failures} times in a row: ${error}`,
  }));
  if (anHour !== null && facts.failedJobs >= anHour)
    found.push({ kind: "failed_jobs", subject: "", message: `${counted(facts.failedJobs, "job")} failed in the last hour.` });
  return found;
}

function machines(facts: Facts, { clock_seconds: most }: AlertSettings): readonly Condition[] {
  const clocks = facts.clocks.filter(({ milliseconds }) => most !== null && Math.abs(milliseconds) >= most * 1000);
  return [
    ...clocks.map(({ process, milliseconds }): Condition => {
      const seconds = Math.round(Math.abs(milliseconds) / 1000);
      const message = `The clock of ${process} is ${seconds} s ${milliseconds > 0 ? "behind" : "ahead of"} the database's.`;
      return { kind: "clock_differs", subject: process, message };
    }),
    ...facts.withoutKey.map(({ process, keyId }): Condition => {
      const message = `${process} does not have the master key ${keyId}. Copy the key file to it.`;
      return { kind: "master_key_missing", subject: process, message };
    }),
  ];
}

function unserved(facts: Facts): readonly Condition[] {
  const text = unservedText(facts.unserved);
  if (text === null) return [];
  return [{ kind: "no_provider", subject: "", message: `${text} Save a route to a provider that can do it, or switch it off.` }];
}

function lists({ failingLists }: Facts): readonly Condition[] {
  const providers = [...new Set(failingLists.map(({ provider }) => provider))];
  return providers.map((provider) => {
    const [first, ...others] = failingLists.filter((one) => one.provider === provider);
    const name = [first?.name, first?.key].filter((part) => part).join(" ");
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    const used = first?.refreshedAt
      ? `The list of ${indiaDateTime(first.refreshedAt.getTime())} is still used.`
      : "There is no earlier list, so this part of the catalogue is missing.";
    return {
      kind: "provider_lists",
      subject: provider,
      message: `${provider}: ${name}${more} could not be refreshed. ${first?.failure ?? ""} ${used}`,
    };
  });
}

function configuration({ configurationDrift: message }: Facts): readonly Condition[] {
  return message === null ? [] : [{ kind: "configuration_drift", subject: "", message }];
}

function archive({ archiveFailure }: Facts): readonly Condition[] {
  if (archiveFailure === null) return [];
  return [{ kind: "archive_failing", subject: "", message: `Old months could not be moved to the archive. ${archiveFailure}` }];
}

function emergencies({ emergencySignIns }: Facts): readonly Condition[] {
  return emergencySignIns.map(({ userId, email, at }) => ({
    kind: "break_glass_used",
    subject: userId,
    message:
      `The emergency account ${email} signed in without single sign-on at ${indiaDateTime(at.getTime())}. ` +
      "Check that this was necessary and that its owner did it.",
  }));
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

const MAX_LISTED = 10;

function listed(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  return names.slice(0, MAX_LISTED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
