import { needsApprovalAlways } from "@corprail/server/domain/approvals/rules";
import { readRules } from "@corprail/server/domain/approvals/rules-store";
import { unsignedWarnings } from "@corprail/server/domain/providers/description/check/check-signature";
import { readDescription } from "@corprail/server/domain/providers/description/definition";
import { faultText } from "@corprail/server/domain/providers/settings/faults";
import { saveProvider } from "@corprail/server/domain/providers/settings/save-provider";
import { actor } from "../shared/actor.ts";
import { type Installation, withInstallation } from "../shared/load-installation.ts";
import { done, failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { readInstalled } from "./installed-providers.ts";
import { faulty, readProviderFile, secretsFor } from "./provider-file.ts";

/** Saves a provider from its file with the secrets that are found. A secret that is not found keeps its saved value. */
export async function saveProviderFile(ctx: CommandContext, path: string): Promise<Outcome> {
  const read = await readProviderFile(path);
  if (!read.ok) return faulty(path, read.faults);
  const { provider } = read.file;
  const secrets = await secretsFor(ctx, path, read.file);
  return await withInstallation(ctx, async (installation) => {
    if (needsApprovalAlways(await readRules(installation.sql), "provider")) return needsSecondPerson();
    const result = await saveProvider(installation, actor(), { ...read.file, secrets });
    return result.kind === "invalid" ? faulty(path, result.faults) : await saved(ctx, installation, provider, result.created);
  });
}

// A description defines where orders go and who may call back, and a command is run by one person.
function needsSecondPerson(): Outcome {
  return failed(
    "Four eyes are on: changes of providers need a second person, and a command has only one. " +
      "Save it at the console under Providers, or with POST /api/operator/v1/providers, where a colleague can approve it.",
  );
}

async function saved(ctx: CommandContext, installation: Installation, name: string, created: boolean): Promise<Outcome> {
  const { providers, routes } = await readInstalled(ctx, installation);
  const provider = providers.find(({ row }) => row.provider === name);
  if (!provider) throw new Error(`The provider ${name} is gone again.`);
  const { row, fault, secrets } = provider;
  const described = row.connector === "description" ? readDescription(row.settings) : null;
  const warnings = described?.ok ? unsignedWarnings(described.definition) : [];
  if (warnings.length > 0) ctx.note(`Warning: ${faultText(warnings)}`);
  const next = [
    ...(fault === null ? [] : [`It gets no orders yet. ${fault}`]),
    ...(row.enabled ? [] : [`It is switched off. Next: corprail provider enable ${name}`]),
    ...(routes.some((route) => route.provider === name) ? [] : [`It has no route. Next: corprail provider route SERVICE OPERATOR ${name}`]),
  ];
  const words = `The provider ${name} is ${created ? "added" : "saved"}. Secrets set: ${secrets.join(", ") || "none"}.`;
  const fields = { provider: name, connector: row.connector, created, enabled: row.enabled, secrets, fault, warnings };
  return { ...done(words, fields), next };
}
