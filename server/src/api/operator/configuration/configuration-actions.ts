import { z } from "zod";
import { formatRevision, readRevision } from "../../../domain/audit/expect-unchanged.ts";
import { findDrift, readApplied, recordApplied } from "../../../domain/configuration/applied.ts";
import { CONFIGURATION_KINDS, type ConfigurationKind, type ConfigurationObject } from "../../../domain/configuration/configuration.ts";
import { KINDS_OF_CELLS, readConfiguration } from "../../../domain/configuration/read-configuration.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { anyObject, timeText } from "../../sites/outputs/output-fields.ts";
import { OPERATIONS } from "../access.ts";
import { type Action, action } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { conflict } from "../refusal.ts";

const kindOutput = z.enum(CONFIGURATION_KINDS);

const configurationOutput = z
  .strictObject({
    revision: z.string().meta({
      description: "For the header corprail-expected-revision of a change, which is then refused if its object was changed since.",
      example: "0:812",
    }),
    objects: z
      .array(
        z.strictObject({
          kind: kindOutput,
          name: z.string().describe("Unique within its kind."),
          value: anyObject.describe("The fields of the object in a configuration file. Secrets appear by name only."),
          id: z.string().optional().describe("The id of a price rule, or of a member of staff."),
          label: z.string().optional().describe("The name of a client."),
        }),
      )
      .readonly(),
  })
  .meta({ id: "Configuration" });

const appliedOutput = z
  .strictObject({
    applied_at: timeText,
    applied_by: z.string(),
    fingerprint: z.string(),
    alert_on_drift: z.boolean(),
    drift: z.string().nullable().describe("How the settings differ from what was applied; null if they do not."),
  })
  .meta({ id: "AppliedConfiguration" });

const kindsQuery = z
  .string()
  .transform((text, ctx): readonly ConfigurationKind[] => {
    const names = text.split(",");
    const known = CONFIGURATION_KINDS.filter((kind) => names.includes(kind));
    if (known.length === new Set(names).size) return known;
    ctx.addIssue(`Must be a list of ${CONFIGURATION_KINDS.join(", ")}, separated by commas.`);
    return z.NEVER;
  })
  .optional();

type Configuration = { readonly revision: string; readonly objects: readonly ConfigurationObject[] };

/** Of the cells' results: settings of the installation from home, clients from every cell. */
function mergeCells(results: readonly Configuration[]): Configuration {
  return { revision: results.map(({ revision }) => revision).join(","), objects: results.flatMap(({ objects }) => objects) };
}

const showConfiguration = action({
  path: "GET /configuration",
  summary: "Shows all settings as configuration files contain them.",
  roles: OPERATIONS,
  query: z.object({ kinds: kindsQuery }),
  output: configurationOutput,
  cells: { kind: "sum", merge: mergeCells },
  handler: async ({ deps, query: { kinds = CONFIGURATION_KINDS } }) => {
    // Read first: what is changed while the objects are read counts as changed after the revision.
    const revision = await readRevision(deps.sql);
    const isHome = revision.has(0);
    const own = isHome ? kinds : kinds.filter((kind) => KINDS_OF_CELLS.includes(kind));
    return { revision: formatRevision(revision), objects: await readObjects(deps, own) };
  },
});

async function readObjects(deps: OperatorApiDependencies, kinds: readonly ConfigurationKind[]): Promise<readonly ConfigurationObject[]> {
  await deps.refresh();
  const secrets = new Map(deps.providerRegistry.providers().map(({ row, secrets }) => [row.provider, secrets]));
  const sources = { sql: deps.sql, now: deps.clock.now(), secretsOf: (provider: string) => secrets.get(provider) ?? [] };
  return await readConfiguration(sources, kinds);
}

/** The objects of the whole installation, for an action that runs at home. */
async function readAll(home: OperatorApiDependencies, kinds: readonly ConfigurationKind[]): Promise<readonly ConfigurationObject[]> {
  const ofCells = kinds.filter((kind) => KINDS_OF_CELLS.includes(kind));
  const [own, ...others] = await Promise.all([
    readObjects(home, kinds),
    ...(home.cells?.all() ?? []).slice(1).map((deps) => readObjects(deps, ofCells)),
  ]);
  return [...own, ...others.flat()];
}

const showApplied = action({
  path: "GET /configuration/applied",
  summary: "Shows which configuration files were applied last, and whether the settings have changed since.",
  roles: OPERATIONS,
  output: z.strictObject({ applied: appliedOutput.nullable() }),
  handler: async ({ deps }) => {
    const applied = await readApplied(deps.sql);
    if (applied === null) return { applied: null };
    const drift = await findDrift({ sql: deps.sql, read: (kinds) => readAll(deps, kinds) });
    return { applied: appliedView({ ...applied, drift }) };
  },
});

const managedNames = z.union([z.literal("all"), z.array(z.string().max(400)).max(10_000)]);
const appliedBody = z.strictObject({
  managed: z.partialRecord(kindOutput, managedNames).describe("For each kind, all or the names of the objects that the files contain."),
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  alert_on_drift: z.boolean().optional().describe("Absent: as before."),
});

const markApplied = action({
  path: "POST /configuration/applied",
  summary: "Records that the settings are those of configuration files. With alert_on_drift, a later change elsewhere causes an alert.",
  roles: OPERATIONS,
  body: appliedBody,
  output: appliedOutput,
  handler: async ({ deps, actor, body: { managed, fingerprint, alert_on_drift: alertOnDrift } }) => {
    const kinds = CONFIGURATION_KINDS.filter((kind) => managed[kind] !== undefined);
    const applied = await recordApplied(deps, actor, { managed, fingerprint, alertOnDrift }, await readAll(deps, kinds));
    return applied === "changed" ? conflict("The settings have changed since they were read. Make a new plan.") : appliedView(applied);
  },
});

function appliedView(applied: NonNullable<Awaited<ReturnType<typeof readApplied>>>): z.output<typeof appliedOutput> {
  return {
    applied_at: indiaDateTime(applied.appliedAt.getTime()),
    applied_by: applied.appliedBy,
    fingerprint: applied.fingerprint,
    alert_on_drift: applied.alertOnDrift,
    drift: applied.drift,
  };
}

/** Configuration as code. */
export const configurationActions: readonly Action[] = [showConfiguration, showApplied, markApplied];
