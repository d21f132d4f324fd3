import { existsSync } from "node:fs";
import { checkSetup } from "@corprail/server/domain/providers/connector-setup";
import {
  type ConnectionStep,
  type ConnectionToCheck,
  checkConnection,
  openToCheck,
} from "@corprail/server/domain/providers/settings/check-connection";
import { descriptionFaults } from "@corprail/server/domain/providers/settings/check-description";
import { describe, readDescribed } from "@corprail/server/domain/providers/settings/described-provider";
import { systemClock } from "@corprail/server/platform/core/clock";
import { egressOf, withInstallation } from "../shared/load-installation.ts";
import { done, failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { useInstalled } from "./installed-providers.ts";
import { faulty, readProviderFile, secretsFor } from "./provider-file.ts";

// Every call has a time limit of its own.
const NEVER = new AbortController().signal;

/** Logs in at a provider and asks for the balance, for real. Orders nothing and changes nothing. */
export async function checkProvider(ctx: CommandContext, fileOrName: string): Promise<Outcome> {
  return existsSync(fileOrName) ? await checkFile(ctx, fileOrName) : await checkInstalled(ctx, fileOrName);
}

async function checkFile(ctx: CommandContext, path: string): Promise<Outcome> {
  const read = await readProviderFile(path);
  if (!read.ok) return faulty(path, read.faults);
  const faults = descriptionFaults(read.file);
  if (faults.length > 0) return faulty(path, faults);
  const secrets = await secretsFor(ctx, path, read.file);
  const checked = checkSetup({ ...read.file, secrets });
  if (!checked.ok) return faulty(path, checked.faults);
  if (checked.missing.length > 0) return failed(`Secrets not found: ${checked.missing.join(", ")}`, { missing: checked.missing });
  const egress = egressOf(ctx.config);
  const connector = openToCheck(checked, { clock: systemClock(ctx.config.clockOffsetSeconds), egress });
  try {
    return await shown({ described: read.file, connector, egress, signal: NEVER });
  } finally {
    await connector.close();
  }
}

/** A provider that is saved, with its sealed secrets. */
async function checkInstalled(ctx: CommandContext, name: string): Promise<Outcome> {
  return await withInstallation(ctx, async (installation) =>
    useInstalled(ctx, installation, async (directory) => {
      const provider = directory.provider(name);
      if (provider === undefined) return failed(`There is no file and no provider ${name}.`);
      if (provider.connector === null) return failed(`${name} cannot be started. ${provider.fault ?? ""}`);
      const read = readDescribed(describe(provider.row));
      if (!read.ok) return faulty(name, read.faults);
      return await shown({ described: read.described, connector: provider.connector, egress: installation.egress, signal: NEVER });
    }),
  );
}

async function shown(checked: ConnectionToCheck): Promise<Outcome> {
  const { provider, connector } = checked.described;
  if (connector === "simulator") return failed("The simulator sends nothing, so there is no connection to check.");
  const steps = await checkConnection(checked);
  const report = steps.map(lineOf).join("\n");
  const fields = { provider, connector, steps };
  return steps.every(({ ok }) => ok)
    ? done(`${provider} can be reached and accepts us. Nothing was ordered.`, fields, report)
    : failed(`The check of ${provider} failed. Nothing was ordered.`, fields, report);
}

function lineOf({ step, ok, detail, milliseconds }: ConnectionStep): string {
  const time = milliseconds === null ? "" : `, ${milliseconds} ms`;
  return `${step.padEnd(8)} ${ok ? "ok    " : "failed"} ${detail}${time}`;
}
